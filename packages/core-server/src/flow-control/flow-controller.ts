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
import { type OnRejected, schemaFigures } from './metrics.ts';
import { byPrecedence } from './precedence.ts';
import { PriorityLevel } from './priority-level.ts';
import { seatLimits, sharesOf } from './seat-limits.ts';
import { SeatPool } from './seat-pool.ts';

interface FlowControllerOptions {
  readonly clock: Clock;
  /** For all levels together. */
  readonly seats: number;
  readonly onRejected?: OnRejected;
}

const CATCH_ALL = 'catch-all';
/** After this time it is looked again whether a level that is gone still serves somebody. */
const RETIRED_MS = 1_000;
/** Kinds of requests that are remembered of a user; beyond it all are found out again. */
const SHAPES_PER_USER_MAX = 1_000;

interface ActiveLevel {
  object: PriorityLevelConfiguration;
  readonly level: PriorityLevel;
  readonly demand: TimedLevel;
}

/** Says of every request which flow it is, by the FlowSchemas and PriorityLevelConfigurations that it is told of. */
export class FlowController implements FlowControl {
  readonly #options: FlowControllerOptions;
  readonly #figures = new MetricsRegistry();
  readonly #metrics: FlowControlMetrics;
  readonly #pool = new SeatPool();
  readonly #schemaObjects = new Map<string, FlowSchema>();
  readonly #levelObjects = new Map<string, PriorityLevelConfiguration>();
  readonly #levels = new Map<string, ActiveLevel>();
  #schemas: readonly ActiveSchema[] = [];
  #isStale = true;
  /** Answers, by user and by what is wanted; forgotten whenever something changes. */
  #flows = new WeakMap<UserInfo, Map<string, SchemaFlow>>();

  constructor(options: FlowControllerOptions) {
    this.#options = options;
    this.#metrics = flowControlMetrics(this.#figures);
  }

  /** Shows its figures among those of a server. */
  registerMetrics(registry: MetricsRegistry): void {
    for (const family of this.#figures.families) registry.add(family);
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
    if (this.#isStale) this.#digest();
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
    // Whoever is in no group at all belongs there too.
    const found = schema ?? this.#schemas.find(({ name }) => name === CATCH_ALL);
    if (found === undefined) throw new Error('there is no flow schema that catches all');
    return new SchemaFlow(found, distinguisherOf(found.spec, user, info));
  }

  #put<T extends FlowSchema | PriorityLevelConfiguration>(into: Map<string, T>, object: T): void {
    const { name = '', uid } = object.metadata;
    const old = into.get(name);
    into.set(name, object);
    // A new status changes nothing of what counts here.
    if (old?.metadata.uid === uid && JSON.stringify(old?.spec) === JSON.stringify(object.spec)) {
      return;
    }
    this.#isStale = true;
  }

  /** Takes over what changed since the last request. Seats and queues of levels that stay are kept. */
  #digest(): void {
    this.#isStale = false;
    this.#flows = new WeakMap();
    const mandatory = mandatoryObjects();
    const wanted = withMissing(this.#levelObjects, mandatory.levels);
    for (const [name, object] of wanted) this.#keepLevel(name, object);
    for (const [name, { level }] of this.#levels) {
      if (wanted.has(name)) continue;
      // A level that is gone serves those it has, with the share it had.
      if (level.isIdle) this.#forgetLevel(name);
      else this.#digestLater();
    }
    this.#divideSeats();
    this.#schemas = [...withMissing(this.#schemaObjects, mandatory.schemas).values()]
      .filter(({ spec }) => wanted.has(spec.priorityLevelConfiguration.name))
      .sort(byPrecedence)
      .map((schema) => this.#activate(schema));
  }

  #digestLater(): void {
    this.#options.clock.schedule(RETIRED_MS, () => {
      this.#isStale = true;
    });
  }

  #keepLevel(name: string, object: PriorityLevelConfiguration): void {
    const known = this.#levels.get(name);
    if (known !== undefined) {
      known.object = object;
      return;
    }
    const demand = new TimedLevel(this.#metrics.demand.with(name));
    const level = new PriorityLevel({
      clock: this.#options.clock,
      pool: this.#pool,
      figures: { demand: (seats) => demand.set(seats) },
    });
    this.#levels.set(name, { object, level, demand });
  }

  #forgetLevel(name: string): void {
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
    if (active === undefined) throw new Error(`there is no priority level ${levelName}`);
    const { name = '', uid = '' } = metadata;
    return {
      name,
      spec,
      level: active.level,
      headers: [
        ['X-Kubernetes-PF-FlowSchema-UID', uid],
        ['X-Kubernetes-PF-PriorityLevel-UID', active.object.metadata.uid ?? ''],
      ],
      figures: schemaFigures(this.#metrics, {
        level: levelName,
        schema: name,
        onRejected: this.#options.onRejected ?? (() => {}),
      }),
    };
  }

  #collect(): void {
    if (this.#isStale) this.#digest();
    for (const [name, { level, demand }] of this.#levels) {
      demand.settle();
      this.#metrics.current.with(name).set(level.currentLimit);
    }
  }
}

function isExempt({ spec }: PriorityLevelConfiguration): boolean {
  return spec.type === 'Exempt';
}

/** Mandatory objects count also while they are not there. */
function withMissing<T extends { metadata: { name?: string } }>(
  objects: ReadonlyMap<string, T>,
  mandatory: readonly T[],
): Map<string, T> {
  const all = new Map(mandatory.map((one) => [one.metadata.name ?? '', one]));
  for (const [name, object] of objects) all.set(name, object);
  return all;
}

/** Everything of a request that a schema may look at. */
function shapeOf(info: AccessInfo): string {
  return info.isResourceRequest
    ? `${info.verb}/${info.group}/${info.resource}/${info.subresource}/${info.namespace}`
    : `${info.verb} ${info.path}`;
}
