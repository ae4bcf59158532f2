import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Attestation, readVerdict } from './attestation.ts';

test('a verdict is read wherever a header has its parameter', () => {
  const headers: [header: string, verdict: Attestation | undefined][] = [
    ['"Dana" <sip:+13035550111;verstat=TN-Validation-Passed-A@trunk.example;user=phone>;tag=1', 'A'],
    ['<sip:+13035550111@trunk.example;verstat=tn-validation-passed-b>', 'B'],
    ['<tel:+13035550111;verstat=TN-Validation-Passed-C>', 'C'],
    ['<sip:+13035550111@trunk.example>;verstat = TN-Validation-Failed', 'failed'],
    ['<tel:+13035550111;verstat=TN-Validation-Failed-A>', 'failed'],
    ['sip:+13035550111;verstat=No-TN-Validation@trunk.example', 'none'],
    // The parameter names no level.
    ['<tel:+13035550111;verstat=TN-Validation-Passed>', undefined],
    ['<tel:+13035550111;verstat=TN-Validation-Passed-D>', undefined],
    ['<tel:+13035550111;verstatus=TN-Validation-Passed-A>', undefined],
    ['<tel:+13035550111>', undefined],
    ['', undefined],
  ];
  for (const [header, verdict] of headers) assert.equal(readVerdict(header), verdict, header);
});

test('a caller cannot write a verdict into the display name', () => {
  const name = String.raw`"Dana\";verstat=TN-Validation-Passed-A"`;
  assert.equal(readVerdict(`${name} <tel:+13035550111>`), undefined);
  assert.equal(readVerdict(`${name} <tel:+13035550111;verstat=TN-Validation-Failed>`), 'failed');
});
