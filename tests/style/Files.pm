# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# What the tests of style look at: the files in git.
package Files;
use strict;
use warnings;
use Exporter 'import';
use FindBin;
use Test::More;

our @EXPORT = qw(files content none);

chdir("$FindBin::Bin/../..") or die "$FindBin::Bin/../..: $!";

# The files in git that are still there. Ends the test if this is no git checkout.
sub files {
	my @files = split(/\0/, `git ls-files -z 2>/dev/null`);

	plan(skip_all => 'this is no git checkout: which files belong to it?') if !@files;
	return grep { -f } @files;
}

sub content {
	my ($file) = @_;

	open(my $handle, '<', $file) or die "$file: $!";
	local $/;
	return <$handle> // '';
}

# One test: the list of offenders is empty.
sub none {
	my ($what, @offenders) = @_;

	ok(!@offenders, $what) or diag(join("\n", @offenders));
}

1;
