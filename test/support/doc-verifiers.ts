/** Runs the verifiers of signatures in the documentation, in the installed languages. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSigner, signDelivery } from '../../src/domain/events/deliveries/signature.ts';
import { now } from '../../src/lib/time/time.ts';
import { type Check, callerOf } from './doc-programs.ts';
import type { ShellInstall } from './doc-shell.ts';
import { missing, type Program } from './programs.ts';
import { startReceiver } from './receiver.ts';

type Signed = { secret: string; headers: Record<string, string>; body: string };

/** Receives one delivery. */
async function receiveSigned(around: ShellInstall): Promise<Signed> {
  const call = callerOf(around);
  const receiver = await startReceiver();
  const { body: endpoint } = await call('POST', '/v1/webhook_endpoints', { body: { url: receiver.url } });
  await call('POST', `/v1/webhook_endpoints/${endpoint.id}/test`, { body: {} });
  await receiver.close();
  const [delivery] = receiver.received;
  assert.ok(delivery !== undefined, 'the endpoint got no delivery');
  return { secret: endpoint.secret, headers: delivery.headers as Record<string, string>, body: delivery.body };
}

/**
 * Returns four variants of a delivery: unchanged, with another body, with another secret, and signed six minutes ago.
 */
function variantsOf(signed: Signed): Signed[] {
  const old = signDelivery({
    eventId: signed.headers['webhook-id'] as string,
    body: Buffer.from(signed.body),
    signers: [createSigner(signed.secret)],
    timestampS: Math.floor(now() / 1000) - 360,
  });
  const headers = Object.fromEntries(Object.entries(old).map(([name, value]) => [name.toLowerCase(), value]));
  return [
    signed,
    { ...signed, body: `${signed.body} ` },
    { ...signed, secret: 'whsec_b3RoZXI=' },
    { ...signed, headers },
  ];
}

/** Both verifiers of a JavaScript module accept the signed delivery, and no other. */
export const verifiesInNode: Check = async ({ text }, around) => {
  const path = join(around.folder, 'verify.mjs');
  writeFileSync(path, text);
  const module = await import(pathToFileURL(path).href);
  const variants = variantsOf(await receiveSigned(around));
  for (const verify of [module.verifyServiceSignature, module.verifyStandardWebhook]) {
    const results = variants.map(({ secret, headers, body }) => verify(secret, headers, Buffer.from(body)));
    assert.deepEqual(results, [true, false, false, false]);
  }
};

/** A program that prints the results of each verifier for each delivery, one line of JSON for each verifier. */
type Verifier = {
  readonly command: readonly [Program, ...string[]];
  readonly file: string;
  readonly main: string;
};

/** The programs that have run a verifier in their language. */
export const verifiedBy = new Set<Program>();

const VERIFIERS: Readonly<Record<'python' | 'go' | 'php' | 'ruby', Verifier>> = {
  python: {
    command: ['python3'],
    file: 'verify.py',
    main: `
import json, sys
variants = json.load(sys.stdin)
for verify in (verify_service_signature, verify_standard_webhook):
    print(json.dumps([verify(v["secret"], v["headers"], v["body"].encode()) for v in variants]))
`,
  },
  go: {
    command: ['go', 'run'],
    file: 'verify.go',
    main: `
func main() {
	var variants []struct {
		Secret  string            \`json:"secret"\`
		Headers map[string]string \`json:"headers"\`
		Body    string            \`json:"body"\`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&variants); err != nil {
		panic(err)
	}
	results := []bool{}
	for _, v := range variants {
		results = append(results, VerifyServiceSignature(v.Secret, v.Headers["service-signature"], []byte(v.Body)))
	}
	text, _ := json.Marshal(results)
	fmt.Println(string(text))
}
`,
  },
  php: {
    command: ['php'],
    file: 'verify.php',
    main: `
$results = [];
foreach (json_decode(file_get_contents('php://stdin'), true) as $v) {
    $results[] = verify_service_signature($v['secret'], $v['headers']['service-signature'], $v['body']);
}
echo json_encode($results), "\\n";
`,
  },
  ruby: {
    command: ['ruby'],
    file: 'verify.rb',
    main: `
require "json"
results = JSON.parse($stdin.read).map do |v|
  verify_service_signature(v["secret"], v["headers"]["service-signature"], v["body"])
end
puts JSON.generate(results)
`,
  },
};

/** Checks the verifiers in a language, if it is installed. */
export const verifiesIn =
  (language: keyof typeof VERIFIERS): Check =>
  async ({ text }, around) => {
    const { command, file, main } = VERIFIERS[language];
    const [program, ...options] = command;
    if (missing(program) !== false) return;
    const folder = join(around.folder, language);
    mkdirSync(folder);
    writeFileSync(join(folder, file), language === 'go' ? toGoProgram(text) + main : text + main);
    const input = JSON.stringify(variantsOf(await receiveSigned(around)));
    const { stdout, stderr } = spawnSync(program, [...options, file], { input, encoding: 'utf8', cwd: folder });
    const lines = stdout.trim().split('\n');
    assert.ok(lines.length > 0, stderr);
    for (const line of lines) assert.deepEqual(JSON.parse(line || '"nothing"'), [true, false, false, false], stderr);
    verifiedBy.add(program);
  };

/** Makes a program from the page's package: it reads JSON and prints. */
function toGoProgram(text: string): string {
  const main = text.replace('package webhooks', 'package main');
  return main.replace('import (', 'import (\n\t"encoding/json"\n\t"fmt"\n\t"os"');
}
