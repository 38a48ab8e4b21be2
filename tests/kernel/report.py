# SPDX-License-Identifier: GPL-2.0-only OR MIT
"""TAP from what a guest told."""
import re
import sys

import known


class Tap:
    """Numbers tests and remembers whether one failed."""

    def __init__(self):
        self.count = 0
        self.failed = False

    def test(self, passed, what, remark='', diagnosis=()):
        self.count += 1
        self.failed |= not passed and not remark.startswith('TODO')
        what = what.replace('#', '')
        print(f'{"" if passed else "not "}ok {self.count} - {what}' +
              (f' # {remark}' if remark else ''))
        for line in diagnosis:
            print(f'# {line}')
        sys.stdout.flush()

    def done(self):
        print(f'1..{self.count}')
        return 1 if self.failed else 0


RESULT = re.compile(r'(not )?ok (\d+)(?: - )?([^#]*)(?:# ?(SKIP|TODO) ?(.*))?$')


def is_clean(outcome):
    return outcome.end == 'exit 0' and not any(line.startswith('not ok') for line in outcome.lines)


def tap_program(tap, outcome, remark):
    """Each test that the program reported, and that it reported all. What else it printed
    matters when something failed."""
    results, planned, skip_all, clean = 0, None, '', is_clean(outcome)
    for line in outcome.lines:
        plan = re.match(r'1\.\.(\d+)(?: # SKIP (.*))?', line)
        match = RESULT.match(line)
        if plan:
            planned, skip_all = int(plan.group(1)), plan.group(2)
        elif match:
            results += 1
            passed = not match.group(1)
            note = f'SKIP {match.group(5)}' if match.group(4) == 'SKIP' else ''
            tap.test(passed, f'{outcome.name}: {match.group(3).strip()}',
                     note or ('' if passed else remark))
        elif not clean:
            print('# ' + line.removeprefix('# '))
    if skip_all and outcome.end == 'exit 0':
        tap.test(True, outcome.name, f'SKIP {skip_all}')
    elif outcome.end not in ('exit 0', 'exit 1') or planned != results:
        tap.test(False, f'{outcome.name}: reports all its tests', remark,
                 [f'{outcome.end or "no end"}, {results} tests of {planned}'])


def status_program(tap, outcome, remark):
    """The kernel's tests: only how they ended counts."""
    if outcome.end == 'exit 4':
        why = [line for line in outcome.lines if re.search(r'skip', line, re.IGNORECASE)]
        tap.test(True, outcome.name,
                 'SKIP ' + re.sub(r'.*# *SKIP *', '', (why or ['it says no reason'])[-1]))
        return
    passed = outcome.end == 'exit 0'
    tap.test(passed, outcome.name, '' if passed else remark,
             [] if passed else [outcome.end or 'no end', *outcome.lines[-20:]])


def report(tap, name, version, runs, session, log):
    """Also on what did not run: it was to."""
    outcomes = {outcome.name: outcome for outcome in session.outcomes}
    for run in runs:
        outcome = outcomes.get(run.name)
        remark = known.remark(name, version, run.name)
        if not outcome:
            tap.test(False, f'{run.name}: runs', '', [f'it did not: {session.trouble}'])
        elif run.kind == 'tap':
            tap_program(tap, outcome, remark)
        else:
            status_program(tap, outcome, remark)
    tap.test(not session.complaints, "the kernel's log has no complaint", '', session.complaints)
    tap.test(not session.trouble, 'the guest ran to its end', '',
             [f'{session.trouble}; its console is in {log}'] if session.trouble else [])
