/**
 * A feature: a resource with its operations, declared in the `feature.ts` of its folder. app.ts lists all features.
 * Adding one takes its folder, its schema, a migration and one line in that list.
 */
import type Router from '@koa/router';
import type { EventType } from '#schemas/events.ts';
import type { PrefixedIds } from '#shared/ids.ts';
import { sharedKeyPurposes } from '#shared/signing.ts';
import type { State } from '../api/http/context.ts';
import type { Operation } from '../api/http/operation.ts';
import type { PathIds } from '../api/http/perform.ts';
import type { JobKind } from '../jobs/kind.ts';
import type { Task } from '../jobs/tasks.ts';
import { type Consumer, eventIds } from './outbox.ts';
import type { Services } from './services.ts';
import type { Verb } from './verb.ts';

export interface Feature {
  /** The name of its folder. */
  readonly name: string;
  /** The PostgreSQL tables that it owns. */
  readonly tables?: readonly string[];
  readonly ids?: readonly PrefixedIds[];
  /** Purposes of its keys: `services.keyFor` derives a key for each. */
  readonly keyPurposes?: readonly string[];
  /** The types of its events, each emitted in the transaction of the change. */
  readonly events?: readonly EventType[];
  /** Its consumers of its own and other features' events. */
  readonly consumers?: readonly Consumer[];
  /** The operator's verbs. */
  readonly verbs?: Readonly<Record<string, Verb>>;
  /** Starts its part of this process. Anything it opens it passes to `services.onClose`. */
  open?(services: Services): Promise<OpenFeature> | OpenFeature;
}

/** The served parts of a running feature. */
export interface OpenFeature {
  /** In the order of the API's documentation. */
  readonly operations?: readonly Operation[];
  /** Other names for the ids in its paths. */
  readonly pathIds?: readonly PathIds[];
  /** For redirectors and monitors, on the internal listener. */
  readonly internalRoutes?: readonly Router<State>[];
  /** Tasks of the queue: on a schedule, or when one is added. */
  readonly tasks?: readonly Task[];
  /** The kinds of its jobs, which are worked on in slices. */
  readonly jobKinds?: readonly JobKind[];
}

/** Something that several features use. It is created once per process, on first use. */
export const oncePerProcess = <Made>(make: (services: Services) => Made): ((services: Services) => Made) => {
  const made = new WeakMap<Services, { value: Made }>();
  return (services) => {
    const known = made.get(services);
    if (known) return known.value;
    const value = make(services);
    made.set(services, { value });
    return value;
  };
};

/** Names that no two features may share, including the plane's own. */
interface Names {
  of(feature: Feature): readonly string[];
  taken?: readonly (readonly [name: string, owner: string])[];
}

const namesByKind: Readonly<Record<string, Names>> = {
  name: { of: ({ name }) => [name] },
  table: { of: ({ tables = [] }) => tables },
  'id prefix': {
    of: ({ ids = [] }) => ids.map(({ prefix }) => prefix),
    taken: [[eventIds.prefix, 'framework/outbox.ts']],
  },
  'key purpose': {
    of: ({ keyPurposes = [] }) => keyPurposes,
    taken: sharedKeyPurposes.map((purpose) => [purpose, 'shared/signing.ts'] as const),
  },
  'type of events': { of: ({ events = [] }) => events },
  verb: { of: ({ verbs = {} }) => Object.keys(verbs) },
};

/** @throws {Error} naming a duplicate declaration and both features, or a consumer of events that no feature emits */
export const checkFeatures = (features: readonly Feature[]): void => {
  for (const [kind, names] of Object.entries(namesByKind)) checkNames(kind, names, features);
  const emitted = new Set(features.flatMap(({ events = [] }) => events));
  for (const { name, consumers = [] } of features) {
    const missing = consumers.flatMap(({ types }) => types).find((type) => !emitted.has(type));
    if (missing !== undefined) {
      throw new Error(
        `${name} follows events '${missing}', which no feature emits; emitted are: ${[...emitted].join(', ') || 'none'}`,
      );
    }
  }
};

const checkNames = (kind: string, { of, taken = [] }: Names, features: readonly Feature[]): void => {
  const owners = new Map(taken);
  for (const feature of features) {
    for (const name of of(feature)) {
      const owner = owners.get(name);
      if (owner !== undefined)
        throw new Error(`the ${kind} '${name}' is declared twice: by ${owner} and by ${feature.name}`);
      owners.set(name, feature.name);
    }
  }
};

export const consumersOf = (features: readonly Feature[]): readonly Consumer[] =>
  features.flatMap(({ consumers = [] }) => consumers);

export const verbsOf = (features: readonly Feature[]): Readonly<Record<string, Verb>> =>
  Object.assign({}, ...features.map(({ verbs }) => verbs));
