#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what expose has printed with the parser of Prometheus' own Python client, which refuses
what the specification forbids, and compares it with values that are computed here."""
import math
import re
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.parser import text_string_to_metric_families as older_format

passed = failed = 0


def check(what, expected, got):
    global passed, failed
    if expected == got:
        passed += 1
    else:
        failed += 1
        print(f'FAILED {what}: {got!r} and not {expected!r}')


text = open(sys.argv[1], encoding='utf-8').read()
families = {family.name: family for family in text_string_to_metric_families(text)}


def samples(family, suffix=''):
    """The family's samples of that suffix: a list of their labels and their values."""
    found = families.get(family)
    return [(sample.labels, sample.value) for sample in (found.samples if found else [])
            if sample.name == family + suffix]


def check_histogram(name, values, bounds, scale, with_sum=True):
    """As many values are at most a bound as its bucket says."""
    wanted = [({'le': le}, sum(value <= bound for value in values)) for le, bound in bounds]
    wanted.append(({'le': '+Inf'}, len(values)))
    check(f'{name}: buckets', [(float(l['le']), n) for l, n in wanted],
          [(float(l['le']), n) for l, n in samples(name, '_bucket')])
    sums = samples(name, '_sum')
    check(f'{name}: has a sum', with_sum, len(sums) == 1)
    if with_sum:
        check(f'{name}: sum', True, math.isclose(sums[0][1], sum(values) * scale))
        check(f'{name}: count', [({}, len(values))], samples(name, '_count'))


# node_exporter's textfile collector reads the older format, Prometheus text, which has only these
# types.
types = set(re.findall('^# TYPE [^ ]+ (.*)$', text, re.MULTILINE))
check('types that the older format has', set(), types - {'counter', 'gauge', 'histogram'})
check('samples in the older format',
      [(sample.name, sample.labels, sample.value) for f in families.values() for sample in f.samples],
      [(sample.name, sample.labels, sample.value) for f in older_format(text)
       for sample in f.samples])

aspects = ('files', 'other-one')
check('loaded', [({'aspect': a}, n) for a, n in zip((*aspects, 'none'), (1, 1, 0))],
      samples('weft_aspect_loaded'))
check('woven', [({'aspect': a}, n) for a, n in zip((*aspects, 'none'), (1, 0, 0))],
      samples('weft_aspect_woven'))
check('hits', [({'aspect': a}, n) for a, n in zip(aspects, (100, 0))],
      samples('weft_aspect_hits', '_total'))
check('missed', [({'aspect': a}, n) for a, n in zip(aspects, (0, 2))],
      samples('weft_aspect_missed', '_total'))
check('uncounted', 5, sum(n for labels, n in samples('weft_metric_uncounted', '_total')
                          if labels == {'aspect': 'files', 'metric': 'opens, total',
                                        'reason': 'no row'}))
check('uncounted in all', 5, sum(n for _, n in samples('weft_metric_uncounted', '_total')))
check('counter by keys',
      [({'comm': 'sh', 'arg1_0xff': '0x20', 'key_le': '3', 'key_le_4': '4'}, 7),
       ({'comm': 'a"b\\c\nd\ufffd', 'arg1_0xff': '0x10', 'key_le': '1', 'key_le_4': '2'}, 3),
       (dict.fromkeys(['comm', 'arg1_0xff', 'key_le', 'key_le_4'], '(others)'), 11)],
      samples('weft_files_opens', '_total'))
check('two metrics with one name', [({}, 1)], samples('weft_files_opens_2', '_total'))
powers = range(0, 41)
check_histogram('weft_files_squares_bytes', [i * i for i in range(100)],
                [(str(2**k - 1), 2**k - 1) for k in powers], 1)
check_histogram('weft_files_change', list(range(-12, 12)),
                [(str(n), n) for n in (-11, -6, -1, 4, 9)], 1, with_sum=False)
check_histogram('weft_files_read_seconds', [2**i for i in range(30)],
                [(f'{(2**k - 1) / 1e9:.9f}', 2**k - 1) for k in powers], 1e-9)
check('unit of a time', 'seconds', families['weft_files_read_seconds'].unit)
check('sum', [({}, -4096)], samples('weft_other_one_left_bytes'))
check('hits of a sum', [({}, 4)], samples('weft_other_one_left_hits', '_total'))
check('time inside, of those that are inside as well', [({}, 2.500000001)],
      samples('weft_other_one_2_at_once_inside_seconds', '_total'))
check('entered', [({}, 9)], samples('weft_other_one_2_at_once_entered', '_total'))
print(f'{passed} passed, {failed} failed, 0 skipped')
sys.exit(failed != 0)
