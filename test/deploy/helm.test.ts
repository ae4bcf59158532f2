/** The Helm chart of deploy/helm fits the program (settings, stops, probes, paths, metrics) and Kubernetes' schemas. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { createMetrics } from '../../src/lib/metrics.ts';
import { VERSION } from '../../src/lib/program.ts';
import { readConfig } from '../../src/server/settings/config.ts';
import {
  buildRenderer,
  cannotRender,
  type Manifest,
  readChart,
  renderChart,
  type Values,
} from '../support/helm/chart.ts';
import { buildValidator } from '../support/helm/kubernetes.ts';
import { makeScratch } from '../support/scratch.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const skip = cannotRender();
const scratch = makeScratch('helm');
after(() => scratch.remove());
const renderer = skip === false ? buildRenderer(scratch.path) : '';
const checkManifest = skip === false ? buildValidator(scratch.path) : assert.fail;

/** The values of the example in the chart's README. */
const [, example = assert.fail()] = /```yaml\n(image:[\s\S]*?)```/.exec(readChart('README.md')) ?? [];
const EXAMPLE = parse(example) as Record<string, object>;
const ROLES = ['api', 'worker', 'gateway'].map((role) => [
  role,
  {
    autoscaling: { enabled: true },
    podAnnotations: { 'example.com/team': 'phone' },
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    tolerations: [{ key: 'phone', operator: 'Exists', effect: 'NoSchedule' }],
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
  },
]);
/** Values that render every part of every template. */
const EVERYTHING: Values = {
  ...EXAMPLE,
  ...Object.fromEntries(ROLES),
  image: { ...EXAMPLE['image'], pullSecrets: ['registry'] },
  extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/certificates/ca.pem' }],
  extraVolumes: [{ name: 'certificates', secret: { secretName: 'certificates' } }],
  extraVolumeMounts: [{ name: 'certificates', mountPath: '/certificates' }],
  ingress: {
    ...EXAMPLE['ingress'],
    annotations: { 'haproxy.org/timeout-tunnel': '1h' },
    gatewayAnnotations: { 'haproxy.org/load-balance': 'uri' },
  },
  networkPolicy: { enabled: true, from: [{ namespaceSelector: {} }] },
  metrics: { podMonitor: { enabled: true, labels: { release: 'prometheus' } } },
  audio: { existingClaim: 'audio' },
};

const validate = new Ajv().compile(JSON.parse(readChart('values.schema.json')));
const settings = [...read('config.example.env').matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
/** Every manifest that a test renders is checked with Kubernetes' schemas. */
function manifestsOf(values: Values): Manifest[] {
  const { manifests } = renderChart(renderer, values);
  for (const manifest of manifests) checkManifest(manifest);
  return manifests;
}
const ofKind = (manifests: Manifest[], kind: string) => manifests.filter((each) => each.kind === kind);
const workloadsOf = (manifests: Manifest[]) =>
  manifests.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind));
type Variable = { name: string; value?: string; valueFrom?: object };
const podOf = (workload: Manifest) => workload.spec.template.spec;
const roleOf = (manifest: Manifest): string => manifest.metadata.labels['app.kubernetes.io/component'];

test('the chart has the version of the program', () => {
  const chart = parse(readChart('Chart.yaml'));
  assert.deepEqual([chart.version, chart.appVersion], [VERSION, VERSION]);
});

test('the schemas of Kubernetes are those of the oldest version that the chart supports', () => {
  const oldest = JSON.parse(read('package.json')).devDependencies['kubernetes-types'];
  assert.equal(parse(readChart('Chart.yaml')).kubeVersion, `>=${oldest}-0`);
  const [minor] = /^\d+\.\d+/.exec(oldest) ?? assert.fail(oldest);
  assert.ok(readChart('README.md').includes(`\nKubernetes ${minor} or newer.`), minor);
});

test('the schema accepts the default values and those of the README, and refuses names that do not exist', () => {
  for (const values of [parse(readChart('values.yaml')), EXAMPLE, EVERYTHING]) {
    assert.ok(validate(values), JSON.stringify(validate.errors));
  }
  const wrong = [
    { gatway: {} },
    { settings: { PUBLIC_ULR: 'x' } },
    { settings: { DIALPLANE_SECRET: 'x' } },
    { stop: { drainSeconds: 86_401 } },
  ];
  for (const values of wrong) assert.ok(!validate(values), JSON.stringify(values));
});

test('each setting is one that the schema takes, one that the chart makes, or one for the Secret', () => {
  const { propertyNames } = JSON.parse(readChart('values.schema.json')).properties.settings;
  for (const name of propertyNames.enum) assert.ok(settings.includes(name), name);
  const others = settings.filter((name) => !propertyNames.enum.includes(name)).sort();
  assert.deepEqual(others, [
    'DATABASE_URL',
    'DIALPLANE_BLOBS',
    'DIALPLANE_DATA',
    'DIALPLANE_DRAIN_SECONDS',
    'DIALPLANE_LAME_DUCK_SECONDS',
    'DIALPLANE_METRICS_TOKEN',
    'DIALPLANE_OIDC_CLIENT_SECRET',
    'DIALPLANE_SECRET',
    'DIALPLANE_USER',
    'GATEWAY_URL',
    'HOST',
    'PORT',
    'REDIS_SENTINEL_PASSWORD',
    'REDIS_URL',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
    'SPEECH_KEY',
    'SUMMARY_KEY',
    'VOICE_KEY',
  ]);
});

test('Kubernetes knows each field of the manifests; a wrong name, type or lack of one is refused', { skip }, () => {
  const manifests = [...manifestsOf(EXAMPLE), ...manifestsOf(EVERYTHING)];
  const kinds = new Set(manifests.map(({ kind }) => kind));
  assert.deepEqual([...kinds].sort(), [
    'Deployment',
    'HorizontalPodAutoscaler',
    'Ingress',
    'Job',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'PodMonitor',
    'Service',
    'StatefulSet',
  ]);
  for (const manifest of manifests.filter(({ kind }) => kind !== 'PodMonitor')) {
    const broken = (change: object) => ({ ...manifest, spec: { ...manifest.spec, ...change } });
    assert.throws(() => checkManifest(broken({ replica: 2 })), /"replica"/, manifest.kind);
    assert.throws(() => checkManifest({ ...manifest, spec: [] }), /\/spec must be object/, manifest.kind);
    assert.throws(() => checkManifest({ ...manifest, apiVersion: 'v0' }), /has no schema/, manifest.kind);
  }
  const [gateways] = ofKind(manifests, 'StatefulSet');
  const refused = (change: (container: Manifest) => void, message: RegExp) => {
    const copy = structuredClone(gateways);
    change(podOf(copy).containers[0]);
    assert.throws(() => checkManifest(copy), message);
  };
  refused((container) => Object.assign(container.readinessProbe, { periodSecond: 1 }), /"periodSecond"/);
  for (const periodSeconds of ['5', 0.5]) {
    refused((container) => Object.assign(container.readinessProbe, { periodSeconds }), /periodSeconds must be integer/);
  }
  refused((container) => delete container.ports[0].containerPort, /'containerPort'/);
});

test('the program accepts the roles and the environment of each pod', { skip }, () => {
  for (const workload of workloadsOf(manifestsOf(EXAMPLE))) {
    const [{ env, args }] = podOf(workload).containers;
    const given: Record<string, string> = {
      DATABASE_URL: 'postgres://dialplane@db/dialplane',
      DIALPLANE_SECRET: 'a secret of the test with 32 characters',
    };
    // The migration gets no other key of the Secret.
    if (workload.kind !== 'Job') Object.assign(given, { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' });
    for (const { name, value, valueFrom } of env as Variable[]) {
      if (name === 'POD_NAME') assert.deepEqual(valueFrom, { fieldRef: { fieldPath: 'metadata.name' } });
      else assert.ok(settings.includes(name), name);
      if (value !== undefined) given[name] = value.replace('$(POD_NAME)', 'phone-dialplane-gateway-0');
    }
    if (workload.kind === 'Job') {
      assert.deepEqual(args, ['migrate']);
      readConfig(given);
      continue;
    }
    assert.deepEqual(args, ['start', '--roles', roleOf(workload)]);
    const config = readConfig(given, [roleOf(workload)]);
    assert.deepEqual([config.host, config.port], ['0.0.0.0', 8080]);
    assert.equal(config.gatewayUrl !== null, roleOf(workload) === 'gateway');
  }
});

test('each pod has more time to stop than the stop takes, and a balancer less than the lame duck to notice', {
  skip,
}, () => {
  const stop = { lameDuckSeconds: 20, drainSeconds: 7_200 };
  const workloads = workloadsOf(manifestsOf({ ...EXAMPLE, stop })).filter(({ kind }) => kind !== 'Job');
  assert.deepEqual(workloads.map(roleOf).sort(), ['api', 'gateway', 'worker']);
  for (const workload of workloads) {
    const { terminationGracePeriodSeconds: grace, containers } = podOf(workload);
    const isGateway = roleOf(workload) === 'gateway';
    // The end of a stop takes 10 s at most.
    assert.ok(grace >= stop.lameDuckSeconds + (isGateway ? stop.drainSeconds : 0) + 10 + 10, `${grace}`);
    const { readinessProbe: ready, livenessProbe: live, startupProbe: start, env } = containers[0];
    assert.equal(ready.httpGet.path, '/readyz');
    assert.ok(ready.timeoutSeconds > 2 && ready.periodSeconds * ready.failureThreshold < 10);
    assert.deepEqual([live.httpGet.path, start.httpGet.path], ['/healthz', '/healthz']);
    const settingOf = (name: string) => env.find((each: { name: string }) => each.name === name)?.value;
    assert.equal(settingOf('DIALPLANE_LAME_DUCK_SECONDS'), '20');
    assert.equal(settingOf('DIALPLANE_DRAIN_SECONDS'), isGateway ? '7200' : undefined);
  }
});

test('the other gateways reach a gateway by its own name, also while it stops', { skip }, () => {
  const manifests = manifestsOf(EXAMPLE);
  const [gateways] = ofKind(manifests, 'StatefulSet');
  const { value } = podOf(gateways).containers[0].env.find(({ name }: { name: string }) => name === 'GATEWAY_URL');
  const { serviceName } = gateways.spec;
  assert.equal(value, `ws://$(POD_NAME).${serviceName}.telephony.svc.cluster.local:8080`);
  const { spec } = ofKind(manifests, 'Service').find(({ metadata }) => metadata.name === serviceName);
  assert.deepEqual([spec.clusterIP, spec.publishNotReadyAddresses, spec.ports[0].port], ['None', true, 8080]);
});

test('pods run without root, capabilities, a writable system and the token of the cluster', { skip }, () => {
  for (const workload of workloadsOf(manifestsOf(EVERYTHING))) {
    const { securityContext, containers, automountServiceAccountToken, enableServiceLinks, volumes } = podOf(workload);
    assert.deepEqual([automountServiceAccountToken, enableServiceLinks], [false, false]);
    assert.deepEqual([securityContext.runAsNonRoot, securityContext.runAsUser], [true, 10001]);
    assert.match(read('deploy/docker/Dockerfile'), /useradd .*--uid 10001/);
    const [{ securityContext: own, volumeMounts, resources }] = containers;
    assert.deepEqual(
      [own.allowPrivilegeEscalation, own.readOnlyRootFilesystem, own.capabilities],
      [false, true, { drop: ['ALL'] }],
    );
    assert.ok(resources.requests.cpu && resources.limits.memory);
    const names = volumes.map(({ name }: { name: string }) => name);
    for (const { name } of volumeMounts) assert.ok(names.includes(name), name);
  }
});

test('budgets, services and scalers name pods and workloads that the chart makes', { skip }, () => {
  const manifests = manifestsOf(EVERYTHING);
  const workloads = workloadsOf(manifests).filter(({ kind }) => kind !== 'Job');
  for (const { spec } of workloads) {
    const { labels } = spec.template.metadata;
    for (const [name, value] of Object.entries(spec.selector.matchLabels)) assert.equal(labels[name], value);
  }
  const finds = (labels: object) =>
    workloads.filter(({ spec }) =>
      Object.entries(labels).every(([name, value]) => spec.template.metadata.labels[name] === value),
    ).length;
  const budgets = ofKind(manifests, 'PodDisruptionBudget');
  assert.equal(budgets.length, 3);
  for (const { spec } of budgets) assert.deepEqual([finds(spec.selector.matchLabels), spec.maxUnavailable], [1, 1]);
  for (const { spec } of ofKind(manifests, 'Service')) assert.equal(finds(spec.selector), 1);
  assert.equal(finds(ofKind(manifests, 'NetworkPolicy')[0].spec.podSelector.matchLabels), 3);
  const scalers = ofKind(manifests, 'HorizontalPodAutoscaler');
  assert.equal(scalers.length, 3);
  for (const { spec } of scalers) {
    const target = workloads.find(
      ({ kind, metadata }) => kind === spec.scaleTargetRef.kind && metadata.name === spec.scaleTargetRef.name,
    );
    assert.ok(target, spec.scaleTargetRef.name);
    assert.equal(target.spec.replicas, undefined);
  }
});

test('scalers ask for metrics that the program has and that the adapter makes', { skip }, () => {
  const known = createMetrics().registry.getMetricsAsArray() as unknown as { name: string }[];
  const { rules } = parse(read('deploy/helm/prometheus-adapter.yaml'));
  const madeBy = (list: { seriesQuery: string }[]) => list.map(({ seriesQuery }) => seriesQuery.replace(/\{.*/, ''));
  const metrics = ofKind(manifestsOf(EVERYTHING), 'HorizontalPodAutoscaler').flatMap(({ spec }) => spec.metrics);
  const namesOf = (type: string) => metrics.flatMap((each) => each[type]?.metric?.name ?? []);
  assert.deepEqual(namesOf('pods'), madeBy(rules.custom));
  assert.deepEqual(namesOf('external'), madeBy(rules.external));
  for (const name of [...namesOf('pods'), ...namesOf('external')]) {
    assert.ok(
      known.some((each) => each.name === name),
      name,
    );
  }
});

test('the ingress leads audio to gateways, and the public paths of the proxy to the API', { skip }, () => {
  const haproxy = read('deploy/proxy/haproxy.cfg');
  const pathsIn = (pattern: RegExp) =>
    [...haproxy.matchAll(pattern)]
      .flatMap(([, list = '']) => list.trim().split(' '))
      .map((path) => path.replace(/(.)\/$/, '$1'));
  const ingresses = ofKind(manifestsOf(EVERYTHING), 'Ingress');
  const pathsOf = (role: string) =>
    ingresses
      .filter((each) => roleOf(each) === role)
      .flatMap(({ spec }) => spec.rules[0].http.paths)
      .map(({ path }: { path: string }) => path);
  assert.deepEqual(pathsOf('gateway').sort(), pathsIn(/acl is_audio path_beg (.*)/g).sort());
  assert.deepEqual(pathsOf('api').sort(), [...new Set(pathsIn(/acl is_public path(?:_beg)? (.*)/g))].sort());
});

test('migrations run before the pods of a version, and need nothing that the release makes', { skip }, () => {
  const [job] = ofKind(manifestsOf(EXAMPLE), 'Job');
  assert.equal(job.metadata.annotations['helm.sh/hook'], 'pre-install,pre-upgrade');
  const [{ env, envFrom }] = podOf(job).containers;
  assert.equal(envFrom, undefined);
  assert.deepEqual(
    env.map(({ name }: { name: string }) => name),
    ['DATABASE_URL', 'DIALPLANE_SECRET'],
  );
});

test('a value that is missing is named, and notes say where the service is', { skip }, () => {
  const without = (name: string) => ({ ...EXAMPLE, [name]: {} });
  assert.throws(() => manifestsOf(without('image')), /image\.repository is missing/);
  assert.throws(() => manifestsOf({ ...EXAMPLE, existingSecret: '' }), /existingSecret is missing/);
  assert.throws(() => manifestsOf({ ...EXAMPLE, settings: { S3_BUCKET: 'audio' } }), /PUBLIC_URL is missing/);
  assert.throws(() => manifestsOf(without('settings')), /audio has no place/);
  assert.match(renderChart(renderer, EXAMPLE).notes, /up to\n60 minutes/);
});
