# SPDX-License-Identifier: GPL-2.0-only OR MIT
#
# What the tests of vdso-bench and timer-latency share.
package Bench;
use strict;
use warnings;
use Exporter qw(import);
use File::Temp qw(tempdir);
our @EXPORT = qw($dir $bin %abi startable run content copy_of refuses);

$ENV{O} or die "O is not set: run this through make check\n";
our $bin = "$ENV{O}/bin";
our $dir = tempdir(CLEANUP => 1);

# The ABI of the image that a build of vdso-bench measures.
our %abi = ('vdso-bench' => 'x86_64', 'vdso-bench32' => 'i386');

sub content {
	my ($path) = @_;

	open(my $file, '<:raw', $path) or die "$path: $!";
	local $/;
	return scalar <$file>;
}

# Those of the programs that this kernel starts; for each other one a skipped test.
sub startable {
	my (@programs) = @_;

	return @programs if system("$ENV{O}/tests/lib/probe32 2> /dev/null") == 0;
	for my $program (grep { /32$/ } @programs) {
		SKIP: {
			Test::More::skip("$program: this kernel starts no 32-bit programs", 1);
		}
	}
	return grep { !/32$/ } @programs;
}

# Runs a program of $bin. Returns its exit status, standard output and standard error.
sub run {
	my ($program, @args) = @_;
	my $pid = fork() // die "fork: $!";

	if (!$pid) {
		open(STDOUT, '>', "$dir/stdout") or die;
		open(STDERR, '>', "$dir/stderr") or die;
		exec("$bin/$program", @args) or die "$bin/$program: $!";
	}
	waitpid($pid, 0);
	return ($? & 127 ? "signal " . ($? & 127) : $? >> 8,
		content("$dir/stdout"), content("$dir/stderr"));
}

# A copy of an image in which the exported function $symbol does nothing but return 0.
sub copy_of {
	my ($abi, $symbol, $to) = @_;
	my $image = "$ENV{O}/$abi/vdso.so";
	my ($offset) = `readelf --dyn-syms -W $image` =~ /([0-9a-f]+)\s+\d+ FUNC .* \Q$symbol\E@/;
	my $bytes = content($image);

	defined $offset or die "$image exports no $symbol";
	substr($bytes, hex($offset), 3) = "\x31\xc0\xc3";	# xor %eax,%eax; ret
	open(my $file, '>:raw', $to) or die "$to: $!";
	print $file $bytes;
	close($file) or die "$to: $!";
}

# Whether a program ends with $status and one sentence that says $says, and nothing else.
sub refuses {
	my ($what, $status, $says, $program, @args) = @_;
	my ($exit, $out, $err) = run($program, @args);
	my $fine = $exit eq $status && $out eq '' && $err =~ $says && $err =~ /\A[^\n]+\n\z/;

	Test::More::ok($fine, "$program: $what") or
		Test::More::diag("@args\nexit $exit\nstdout: $out\nstderr: $err");
}

1;
