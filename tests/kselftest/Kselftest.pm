# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# What the tests here share: running the kernel's tests under vdso-run.
package Kselftest;
use strict;
use warnings;
use Exporter 'import';
use FindBin;
use lib "$FindBin::Bin/../programs";
use Programs;
use Test::More;

our @EXPORT = qw(folder verdict passes);

# Where the tests of this ABI are; skips the block if they could not be built.
sub folder {
	my ($bits, $tests) = @_;
	my $folder = "$ENV{O}/tests/kselftest/$bits";

	skip('32-bit: this kernel starts no 32-bit programs', $tests)
		if $bits == 32 && system("$ENV{O}/tests/lib/probe32 2> /dev/null") != 0;

	if (open(my $file, '<', "$folder/missing")) {
		skip("$bits-bit: " . <$file> =~ s/\n//r, $tests);
	}
	return $folder;
}

# One of our tests from an exit status of theirs: 0 is pass, 4 skip.
sub verdict {
	my ($what, $status, $output) = @_;

	SKIP: {
		skip("$what: says " . ($output =~ /SKIP\s*(.*)/)[0], 1) if $status == 4;
		is($status, 0, $what) or diag($output);
	}
}

# A test of theirs passes, and called our image as it ran.
sub passes {
	my ($what, @command) = @_;
	my ($status, $out, $err, $count) = counted(@command);

	verdict($what, $status, "$out$err");
	ok(used_image($count), "$what: called our image") or diag($err);
}

1;
