import type { FlowSchema, PriorityLevelConfiguration } from '@tributary/api/flowcontrol-v1';
import type { AccessInfo, AccessRequest, UserInfo } from '@tributary/server';
import type { FlowControl } from '@tributary/server/filters';
import {
  type FlowControlMetrics,
  flowControlMetrics,
  MetricsRegistry,
  TimedLevel,
} from '@tributary/server/operations';
import type { Clock } from '@tributary/storage';
import { mandatoryObjects } from './bootstrap-objects.ts';
import { type ActiveSchema, distinguisherOf, SchemaFlow } from './flow.ts';
import { matchesSchema } from './match-schema.ts';
import { type OnRequestRejected, schemaMetrics } from './metrics.ts';
import { byPrecedence } from './precedence.ts';
import { PriorityLevel } from './priority-level.ts';
import { seatLimits, sharesOf } from './seat-limits.ts';
import { SeatPool } from './seat-pool.ts';

interface FlowControllerOptions {
  readonly clock: Clock;
  /** For all levels together. */
  readonly seats: number;
  readonly onRejected?: OnRequestRejected;
}

const CATCH_ALL = 'catch-all';
/** The interval at which deleted levels are checked for remaining requests. */
const RETIRED_MS = 1_000;
/** Cached classifications per user; beyond it the user's cache is cleared. */
const SHAPES_PER_USER_MAX = 1_000;

interface ActiveLevel {
  object: PriorityLevelConfiguration;
  readonly level: PriorityLevel;
  readonly demand: TimedLevel;
}

/** Classifies requests by the FlowSchemas and PriorityLevelConfigurations that informers add. */
export class FlowController implements FlowControl {
  readonly #options: FlowControllerOptions;
  readonly #registry = new MetricsRegistry();
  readonly #metrics: FlowControlMetrics;
  readonly #pool = new SeatPool();
  readonly #schemaObjects = new Map<string, FlowSchema>();
  readonly #levelObjects = new Map<string, PriorityLevelConfiguration>();
  readonly #levels = new Map<string, ActiveLevel>();
  #schemas: readonly ActiveSchema[] = [];
  #isStale = true;
  /** Classifications by user and request attributes; cleared when the configuration changes. */
  #flows = new WeakMap<UserInfo, Map<string, SchemaFlow>>();

  constructor(options: FlowControllerOptions) {
    this.#options = options;
    this.#metrics = flowControlMetrics(this.#registry);
  }

  /** Adds the metrics of all levels to those of a server. */
  registerMetrics(registry: MetricsRegistry): void {
    for (const family of this.#registry.families) registry.add(family);
    registry.onCollect(() => this.#collect());
  }

  putSchema(schema: FlowSchema): void {
    this.#put(this.#schemaObjects, schema);
  }

  putLevel(level: PriorityLevelConfiguration): void {
    this.#put(this.#levelObjects, level);
  }

  removeSchema(name: string): void {
    if (this.#schemaObjects.delete(name)) this.#isStale = true;
  }

  removeLevel(name: string): void {
    if (this.#levelObjects.delete(name)) this.#isStale = true;
  }

  classify({ user, info }: Pick<AccessRequest, 'user' | 'info'>): SchemaFlow {
    if (this.#isStale) this.#applyChanges();
    let shapes = this.#flows.get(user);
    if (shapes === undefined) {
      shapes = new Map();
      this.#flows.set(user, shapes);
    }
    const shape = shapeOf(info);
    let flow = shapes.get(shape);
    if (flow === undefined) {
      if (shapes.size >= SHAPES_PER_USER_MAX) shapes.clear();
      flow = this.#find(user, info);
      shapes.set(shape, flow);
    }
    return flow;
  }

  #find(user: UserInfo, info: AccessInfo): SchemaFlow {
    const schema = this.#schemas.find(({ spec }) => matchesSchema(spec, user, info));
    // A user without any group matches no schema, not even the bootstrap `catch-all`.
    const found = schema ?? this.#schemas.find(({ name }) => name === CATCH_ALL);
    if (found === undefined) throw new Error('the mandatory FlowSchema catch-all is missing');
    return new SchemaFlow(found, distinguisherOf(found.spec, user, info));
  }

  #put<T extends FlowSchema | PriorityLevelConfiguration>(into: Map<string, T>, object: T): void {
    const { name = '', uid } = object.metadata;
    const old = into.get(name);
    into.set(name, object);
    // A status update does not change the configuration.
    if (old?.metadata.uid === uid && JSON.stringify(old?.spec) === JSON.stringify(object.spec)) {
      return;
    }
    this.#isStale = true;
  }

  /** Applies the changes since the last request. Levels that remain keep their seats and queues. */
  #applyChanges(): void {
    this.#isStale = false;
    this.#flows = new WeakMap();
    const mandatory = mandatoryObjects();
    const wanted = withMissing(this.#levelObjects, mandatory.levels);
    for (const [name, object] of wanted) this.#ensureLevel(name, object);
    for (const [name, { level }] of this.#levels) {
      if (wanted.has(name)) continue;
      // A deleted level serves its remaining requests, with the share that it had.
      if (level.isIdle) this.#deleteLevel(name);
      else this.#applyChangesLater();
    }
    this.#divideSeats();
    this.#schemas = [...withMissing(this.#schemaObjects, mandatory.schemas).values()]
      .filter(({ spec }) => wanted.has(spec.priorityLevelConfiguration.name))
      .sort(byPrecedence)
      .map((schema) => this.#activate(schema));
  }

  #applyChangesLater(): void {
    this.#options.clock.schedule(RETIRED_MS, () => {
      this.#isStale = true;
    });
  }

  #ensureLevel(name: string, object: PriorityLevelConfiguration): void {
    const known = this.#levels.get(name);
    if (known !== undefined) {
      known.object = object;
      return;
    }
    const demand = new TimedLevel(this.#metrics.demand.with(name));
    const level = new PriorityLevel({
      clock: this.#options.clock,
      pool: this.#pool,
      metrics: { demand: (seats) => demand.set(seats) },
    });
    this.#levels.set(name, { object, level, demand });
  }

  #deleteLevel(name: string): void {
    this.#levels.delete(name);
    for (const gauge of ['nominal', 'lower', 'upper', 'current'] as const) {
      this.#metrics[gauge].with(name).set(0);
    }
  }

  #divideSeats(): void {
    const all = [...this.#levels.values()];
    const shareSum = all.reduce((sum, { object }) => sum + sharesOf(object.spec), 0);
    for (const [name, { object, level, demand }] of this.#levels) {
      const limits = seatLimits(object.spec, { seats: this.#options.seats, shareSum });
      level.configure(object.spec, limits);
      demand.unit = Math.max(1, limits.nominal);
      this.#metrics.nominal.with(name).set(limits.nominal);
      this.#metrics.lower.with(name).set(limits.lower);
      this.#metrics.upper.with(name).set(limits.upper);
    }
    this.#pool.configure(all.flatMap(({ object, level }) => (isExempt(object) ? [] : [level])));
  }

  #activate({ metadata, spec }: FlowSchema): ActiveSchema {
    const levelName = spec.priorityLevelConfiguration.name;
    const active = this.#levels.get(levelName);
    if (active === undefined) throw new Error(`PriorityLevelConfiguration ${levelName} not found`);
    const { name = '', uid = '' } = metadata;
    return {
      name,
      spec,
      level: active.level,
      headers: [
        ['X-Kubernetes-PF-FlowSchema-UID', uid],
        ['X-Kubernetes-PF-PriorityLevel-UID', active.object.metadata.uid ?? ''],
      ],
      metrics: schemaMetrics(this.#metrics, {
        level: levelName,
        schema: name,
        onRejected: this.#options.onRejected ?? (() => {}),
      }),
    };
  }

  #collect(): void {
    if (this.#isStale) this.#applyChanges();
    for (const [name, { level, demand }] of this.#levels) {
      demand.update();
      this.#metrics.current.with(name).set(level.currentLimit);
    }
  }
}

function isExempt({ spec }: PriorityLevelConfiguration): boolean {
  return spec.type === 'Exempt';
}

/** Mandatory objects apply even before they are stored. */
function withMissing<T extends { metadata: { name?: string } }>(
  objects: ReadonlyMap<string, T>,
  mandatory: readonly T[],
): Map<string, T> {
  const all = new Map(mandatory.map((one) => [one.metadata.name ?? '', one]));
  for (const [name, object] of objects) all.set(name, object);
  return all;
}

/** All attributes that a FlowSchema can match. */
function shapeOf(info: AccessInfo): string {
  return info.isResourceRequest
    ? `${info.verb}/${info.group}/${info.resource}/${info.subresource}/${info.namespace}`
    : `${info.verb} ${info.path}`;
}
