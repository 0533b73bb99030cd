/** What the objects name exists: pods, ports, volumes, settings, files of the images. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig, variableNames } from '#shared/config.ts';
import { readManifest, sourceFiles } from '../bundle/contents.ts';
import { type KubernetesObject, objectOf, objects, workloads } from './testing/manifests.ts';

const root = path.resolve(import.meta.dirname, '../..');

const podOf = (workload: KubernetesObject) => workload.spec.template;
const containerOf = (workload: KubernetesObject) => podOf(workload).spec.containers[0];
const of = (kind: string) => objects.filter((one) => one.kind === kind);

/** The pods that have all of these labels. */
const selected = (labels: Record<string, string>): KubernetesObject[] =>
  workloads.filter((workload) =>
    Object.entries(labels).every(([name, value]) => podOf(workload).metadata.labels[name] === value),
  );

const portNames = (workload: KubernetesObject): string[] =>
  (containerOf(workload).ports ?? []).map(({ name }: { name: string }) => name);

test('each selector chooses the pods of one workload, and is of its own name', () => {
  for (const one of [...of('Service'), ...of('PodDisruptionBudget'), ...of('NetworkPolicy'), ...workloads]) {
    const { selector, podSelector = selector } = one.spec;
    if (podSelector === undefined) continue;
    const names = selected(podSelector.matchLabels ?? podSelector).map(({ metadata }) => metadata.name);
    expect(names, one.kind).toEqual([one.metadata.name.replace(/-replicas$/, '')]);
  }
  for (const workload of workloads)
    for (const { labelSelector } of podOf(workload).spec.topologySpreadConstraints ?? [])
      expect(selected(labelSelector.matchLabels)).toEqual([workload]);
});

test('services, routes, probes and network policies name ports that the containers have', () => {
  for (const service of of('Service')) {
    const [workload] = selected(service.spec.selector);
    for (const { targetPort } of service.spec.ports) expect(portNames(workload!)).toContain(targetPort);
  }
  for (const route of of('HTTPRoute'))
    for (const { backendRefs } of route.spec.rules)
      for (const { name, port } of backendRefs) {
        const ports = objectOf('Service', name).spec.ports.map((one: { port: number }) => one.port);
        expect(ports).toContain(port);
      }
  for (const workload of workloads.filter(({ kind }) => kind !== 'Job')) {
    const { startupProbe, livenessProbe, readinessProbe } = containerOf(workload);
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe])
      expect(portNames(workload)).toContain(httpGet.port);
  }
  for (const policy of of('NetworkPolicy')) {
    const [workload] = selected(policy.spec.podSelector.matchLabels);
    for (const { ports } of policy.spec.ingress)
      for (const { port } of ports) expect(portNames(workload!)).toContain(port);
  }
});

test('an autoscaler scales a workload that sets no number of replicas itself', () => {
  for (const scaler of of('HorizontalPodAutoscaler')) {
    const { kind, name } = scaler.spec.scaleTargetRef;
    expect(objectOf(kind, name).spec.replicas).toBeUndefined();
  }
  expect(of('HorizontalPodAutoscaler').length).toBe(2);
});

test('every mounted volume exists, and containers run without privileges on a file system that they cannot write', () => {
  for (const workload of workloads) {
    const { volumes, securityContext } = podOf(workload).spec;
    const claims = workload.spec.volumeClaimTemplates ?? [];
    const names = [...volumes, ...claims.map(({ metadata }: KubernetesObject) => metadata)].map(
      ({ name }) => name,
    );
    const container = containerOf(workload);
    for (const { name } of container.volumeMounts) expect(names).toContain(name);
    expect(container.volumeMounts).toHaveLength(names.length);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65_532 });
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
    });
  }
});

test('the journal is on a memory volume, and the spool on a volume that outlives the pod', () => {
  const redirector = objectOf('StatefulSet', 'waymark-redirector');
  const { env, volumeMounts } = containerOf(redirector);
  const memory = podOf(redirector).spec.volumes.find(({ name }: { name: string }) => name === 'memory');
  expect(memory.emptyDir.medium).toBe('Memory');
  const mounted = volumeMounts.find(({ name }: { name: string }) => name === 'memory').mountPath;
  expect(path.dirname(env.find(({ name }: { name: string }) => name === 'RUNTIME_DIR').value)).toBe(mounted);
  expect(redirector.spec.volumeClaimTemplates[0].metadata.name).toBe('spool');
});

const secret = {
  DATABASE_URL: 'postgres://waymark:secret@postgres:5432/waymark',
  REDIS_URL: 'redis://redis:6379',
  CLICKHOUSE_URL: 'http://waymark:secret@clickhouse:8123/waymark',
  SECRET_KEY: 'k'.repeat(32),
  STORAGE_URL: 's3://key:secret@s3.example.com/bucket/folder?region=eu-central-1',
};

test('the planes take the settings of the ConfigMap with those of the Secret, and pods end within their grace', () => {
  const { data } = objectOf('ConfigMap', 'waymark');
  expect(Object.keys(data).filter((name) => !variableNames.includes(name))).toEqual([]);
  const { shutdownGraceMs, internalHost } = loadConfig({ ...data, ...secret });
  expect(internalHost).toBe('0.0.0.0');
  for (const workload of workloads.filter(({ kind }) => kind !== 'Job')) {
    const { terminationGracePeriodSeconds } = podOf(workload).spec;
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(shutdownGraceMs / 1000 + 20);
  }
});

test('the migrations have the image and the Secret of the control plane, and a program that the image holds', () => {
  const migrate = containerOf(objectOf('Job', 'waymark-migrate'));
  expect(migrate.image).toBe(containerOf(objectOf('Deployment', 'waymark-control-plane')).image);
  expect(sourceFiles(root)).toContain(migrate.args[0]);
  // A setting that both read cannot differ: of the ConfigMap they read nothing.
  expect(migrate.envFrom).toEqual([{ secretRef: { name: 'waymark' } }]);
  expect(objectOf('ConfigMap', 'waymark').data).not.toHaveProperty('SCAN_RETENTION_DAYS');
});

test('the images are of the version of package.json', () => {
  const { version } = readManifest(root);
  const images = workloads.map((workload) => containerOf(workload).image);
  expect(new Set(images)).toEqual(
    new Set([`waymark/control-plane:${version}`, `waymark/redirector:${version}`]),
  );
});
