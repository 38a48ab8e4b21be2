# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# What tests with real programs share: running one under vdso-run, and the proof
# that it used our image.
package Programs;
use strict;
use warnings;
use Exporter 'import';
use File::Temp qw(tempfile);
use FindBin;
use IPC::Open3;
use Test::More;

our @EXPORT = qw($built $vdso_run program under counted used_image runs_well);

$ENV{O} //= "$FindBin::Bin/../../build";
our $vdso_run = "$ENV{O}/bin/vdso-run";
die "no $vdso_run: build it first (make tools)\n" if !-x $vdso_run;
our $built = "$ENV{O}/tests/programs";

# A program from the build directory; skips the rest of the block if it could not
# be built here, or if this kernel can't run its kind.
sub program {
	my ($name, $tests) = @_;
	my $path = "$built/$name";

	if (!-x $path) {
		open(my $file, '<', $path) or die "$path: $!";
		skip("$name: " . <$file> =~ s/\n//r, $tests);
	}
	# Without arguments every one of them runs and ends.
	system("$path > /dev/null 2>&1");
	skip("$name: this kernel does not run programs of its kind", $tests)
		if $? == -1 || $? >> 8 == 126;
	return $path;
}

# Runs a command for at most a minute: exit status, output, messages. A status of
# 128 and more is a signal's, 124 means that it did not end.
sub run {
	my (@command) = @_;
	open(my $in, '<', '/dev/null') or die "/dev/null: $!";
	my ($out, $err) = (File::Temp->new, File::Temp->new);
	my $pid = open3('<' . '&' . fileno($in), '>&' . fileno($out), '>&' . fileno($err),
			'timeout', '--kill-after=5', '60', @command);

	waitpid($pid, 0);
	my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
	return ($status, map { seek($_, 0, 0); local $/; scalar(<$_>) // '' } $out, $err);
}

# Runs a command under vdso-run.
sub under {
	return run($vdso_run, @_);
}

# The same, and how often each function of our image was called: name => count.
sub counted {
	my ($status, $out, $err) = run($vdso_run, '--count', @_);
	my %count;

	$count{$2} += $1 while $err =~ /(\d+) calls of __(?:vdso|kernel)_(\w+)/g;
	return ($status, $out, $err, \%count);
}

# Whether any function of our image was called.
sub used_image {
	my ($count) = @_;

	return scalar(grep { $_ } values(%$count));
}

# Two tests: the command exits with 0, and called at least one of these functions.
sub runs_well {
	my ($what, $functions, @command) = @_;
	my ($status, $out, $err, $count) = counted(@command);

	is($status, 0, $what) or diag($out, $err);
	ok(scalar(grep { $count->{$_} } split(/ /, $functions)), "$what: took its time from our image")
		or diag("no call of $functions was counted: $err");
	return ($out, $err);
}

1;
