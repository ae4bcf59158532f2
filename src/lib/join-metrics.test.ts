import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinMetricTexts } from './join-metrics.ts';

test('the samples of one metric form one group, with one head, in the order of the texts', () => {
  const first = '# HELP a Help of a\n# TYPE a gauge\na 1\n\n# HELP b Help\n# TYPE b counter\nb{x="1"} 2\n';
  const second = '# HELP b Help\n# TYPE b counter\nb{x="1",cell="c"} 3\n\n# HELP c Help\n# TYPE c gauge\n';
  assert.equal(
    joinMetricTexts([first, second]),
    '# HELP a Help of a\n# TYPE a gauge\na 1\n\n# HELP b Help\n# TYPE b counter\nb{x="1"} 2\nb{x="1",cell="c"} 3\n\n' +
      '# HELP c Help\n# TYPE c gauge\n',
  );
});

test('a text alone stays as it is', () => {
  const text = '# HELP a Help\n# TYPE a gauge\na 1\n\n# HELP b Help\n# TYPE b gauge\nb 2\n';
  assert.equal(joinMetricTexts([text]), text);
});
