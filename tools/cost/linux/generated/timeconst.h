/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Ratios of ticks and milliseconds, which no vDSO uses. */
