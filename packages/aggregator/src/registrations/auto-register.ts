import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Informer, WorkQueue } from '@tributary/client';
import {
  type ControllerDependencies,
  isNotFound,
  isWriteConflict,
  keyedController,
} from '@tributary/client/controller';
import type { HealthCheck } from '@tributary/server';
import type { LocalGroupVersion } from '../api-services/local-priorities.ts';
import { apiServices } from '../api-services/resources.ts';
import { registrationChecks } from './auto-register-health.ts';
import {
  AUTO_MANAGED,
  localSpec,
  nameOfGroupVersion,
  planAutoRegister,
  type Step,
  type Wanted,
} from './auto-register-plan.ts';

export interface AutoRegisterOptions {
  readonly informer: Informer<APIService>;
  /** The built-in group versions, constant while this process runs. */
  readonly builtIn: readonly LocalGroupVersion[];
  /**
   * Group versions of custom resources, which change. Undefined until they are known: until then nothing is deleted,
   * because an unknown APIService may be one of theirs. Default: none.
   */
  readonly custom?: () => readonly LocalGroupVersion[] | undefined;
}

export interface AutoRegistration {
  /** `custom` returns another list now. */
  customChanged(): void;
  /** `autoregister-completion` and upstream's post-start hook. */
  readonly healthChecks: readonly HealthCheck[];
  /** Resolves when it has ended, after the signal. */
  readonly done: Promise<void>;
}

/** As upstream: the writes of a first start go to the store together. */
const WORKERS = 5;

type Dependencies = Pick<ControllerDependencies, 'client' | 'clock' | 'log' | 'signal'>;

/** Maintains APIServices for everything that this process serves itself, in the background. */
export function autoRegister(
  options: AutoRegisterOptions,
  dependencies: Dependencies,
): AutoRegistration {
  const { informer, builtIn } = options;
  const { signal, log } = dependencies;
  const ownSpecs = wantedOf(builtIn, 'onstart');
  const state = { there: new Set<string>(), done: new Set<string>(), begun: false };
  let custom: ReadonlyMap<string, Wanted> | undefined;

  const reconcile = async (name: string) => {
    const wanted = ownSpecs.get(name) ?? custom?.get(name);
    if (wanted === undefined && custom === undefined) return;
    const current = informer.store.get(name);
    if (current === undefined && wanted === undefined) {
      // Unmanaged and deleted: another object of this name is a new one.
      state.there.delete(name);
      state.done.delete(name);
      return;
    }
    const step = planAutoRegister({
      current,
      wanted,
      wasThere: state.there.has(name),
      isDone: state.done.has(name),
    });
    await carryOut(name, step, dependencies);
    state.done.add(name);
  };
  const { queue, done } = keyedController(
    { name: 'autoregister', concurrency: WORKERS, reconcile },
    dependencies,
  );

  const takeCustom = () => {
    const said = options.custom === undefined ? [] : options.custom();
    const before = new Set(custom?.keys());
    custom = said && wantedOf(said, 'true');
    // The spec of a group version never changes, so only added and removed ones are queued.
    return before.symmetricDifference(new Set(custom?.keys()));
  };
  const begin = async () => {
    await informer.whenSynced(signal);
    state.there = new Set(informer.store.keys());
    const wanted = takeCustom();
    state.begun = true;
    addAll(queue, ownSpecs.keys(), wanted, state.there);
  };
  const subscription = informer.addHandler(queueHandler(queue, () => state.begun));
  signal.addEventListener('abort', () => subscription.close(), { once: true });
  const begun = begin().catch((error: unknown) => {
    if (!signal.aborted) log.error(error, 'Registering local APIServices failed');
  });
  const checks = registrationChecks({ names: ownSpecs.keys(), informer, begun: () => state.begun });
  signal.addEventListener('abort', () => checks.close(), { once: true });
  return {
    customChanged: () => {
      if (!state.begun) return;
      const wasKnown = custom !== undefined;
      const names = takeCustom();
      // Reconciles what was skipped while the custom resources were unknown.
      addAll(queue, names, wasKnown ? [] : informer.store.keys());
    },
    healthChecks: checks.checks,
    done: Promise.all([begun, done]).then(() => {}),
  };
}

/** Ignores events until the informer is synced: before, every APIService seems to be missing. */
function queueHandler(queue: WorkQueue<string>, hasBegun: () => boolean) {
  const add = ({ metadata }: APIService) => {
    if (hasBegun()) queue.add(metadata.name ?? '');
  };
  return {
    onAdd: add,
    onUpdate: (_old: APIService, apiService: APIService) => add(apiService),
    onDelete: add,
  };
}

function addAll(queue: WorkQueue<string>, ...all: readonly Iterable<string>[]): void {
  for (const name of new Set(all.flatMap((names) => [...names]))) queue.add(name);
}

function wantedOf(
  locals: readonly LocalGroupVersion[],
  managing: Wanted['managing'],
): ReadonlyMap<string, Wanted> {
  return new Map(
    locals.map((local) => [nameOfGroupVersion(local), { managing, spec: localSpec(local) }]),
  );
}

async function carryOut(
  name: string,
  step: Step,
  { client, signal }: Pick<Dependencies, 'client' | 'signal'>,
): Promise<void> {
  const all = client.resource<APIService>(apiServices);
  try {
    switch (step.kind) {
      case 'nothing':
        return;
      case 'create': {
        const labels = { [AUTO_MANAGED]: step.managing };
        await all.create({ metadata: { name, labels }, spec: step.spec, status: {} }, { signal });
        return;
      }
      case 'update':
        await all.update({ ...step.current, spec: step.spec }, { signal });
        return;
      case 'delete': {
        const { uid = '' } = step.current.metadata;
        await all.delete(name, { preconditions: { uid }, signal });
        return;
      }
      default:
        return step satisfies never;
    }
  } catch (error) {
    // Another process was faster; its change arrives as an event.
    if (!isWriteConflict(error) && !isNotFound(error)) throw error;
  }
}
