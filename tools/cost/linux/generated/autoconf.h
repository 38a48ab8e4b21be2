/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The configuration is in ../<arch>.h, which is included before anything else. */
