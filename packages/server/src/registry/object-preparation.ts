import {
  cloneJson,
  type FieldError,
  invalid,
  type KubeObject,
  root,
  type StatusError,
  validateObjectMetaCreate,
  validateObjectMetaUpdate,
  withoutRepeats,
} from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';
import type { ValidateContext, ValidationThread } from '../validation/validate-context.ts';
import type { Turn } from '../watch-cache/event-loop.ts';
import { fillSystemFields, type Identity, keepSystemFields } from './object-metadata.ts';
import { checkResourceVersion } from './preconditions.ts';
import { withRevision } from './store-codec.ts';
import type { Strategy } from './strategy.ts';
import type { WriteOptions } from './write-options.ts';

const METADATA = root('metadata');

export interface PreparationOptions {
  readonly strategy: Strategy;
  readonly identity: Identity;
  /** The thread for expensive validation. Default: the event loop. */
  readonly validationThread?: ValidationThread | undefined;
}

/** Makes the object that is stored from the object that was sent: system fields, strategy, validation. */
export class ObjectPreparation {
  readonly #strategy: Strategy;
  readonly #identity: Identity;
  readonly #validationThread: ValidationThread | undefined;

  constructor({ strategy, identity, validationThread }: PreparationOptions) {
    this.#strategy = strategy;
    this.#identity = identity;
    this.#validationThread = validationThread;
  }

  async forCreate(sent: KubeObject, options: WriteOptions, turn: Turn): Promise<KubeObject> {
    const strategy = this.#strategy;
    const filled = fillSystemFields(this.#copied(sent), this.#identity);
    const object = strategy.prepareForCreate(filled, { dryRun: options.dryRun });
    const errors = [...(await strategy.validate(object, this.#context(options)))];
    if (strategy.validatesMetadataFirst) errors.unshift(...this.#metadataErrors(object));
    else if (errors.length === 0) errors.push(...this.#metadataErrors(object));
    if (errors.length > 0) throw this.#invalid(object, errors);
    if (turn.isOver) await turn.next();
    strategy.warnings(object).forEach(options.warn);
    strategy.canonicalise(object);
    return object;
  }

  async forUpdate(
    sent: KubeObject,
    { object: live, revision }: { readonly object: KubeObject; readonly revision: Revision },
    options: WriteOptions,
    turn: Turn,
  ): Promise<KubeObject> {
    const strategy = this.#strategy;
    checkResourceVersion(sent, { name: live.metadata.name ?? '', revision }, strategy);
    // An update without a resourceVersion is one of the present state.
    const filled = keepSystemFields(withRevision(this.#copied(sent), revision), live);
    const next = strategy.prepareForUpdate(filled, live, { dryRun: options.dryRun });
    const found = await strategy.validateUpdate(next, live, this.#context(options));
    const errors = [
      // The rules for new metadata apply again; upstream's kinds without declarative validation
      // report such errors twice.
      ...this.#metadataErrors(next),
      ...validateObjectMetaUpdate(next.metadata, live.metadata, METADATA),
      ...found,
    ];
    if (errors.length > 0) throw this.#invalid(live, errors);
    if (turn.isOver) await turn.next();
    strategy.warnings(next, live).forEach(options.warn);
    strategy.canonicalise(next);
    return strategy.countChange(next, live);
  }

  /** A copy if hooks change it: the next attempt begins with the object that was sent. */
  #copied(sent: KubeObject): KubeObject {
    return this.#strategy.changesObjects ? (cloneJson(sent) as KubeObject) : sent;
  }

  #context(cancellation: WriteOptions): ValidateContext | undefined {
    const thread = this.#validationThread;
    return thread && { cancellation, thread };
  }

  #invalid({ metadata }: KubeObject, errors: readonly FieldError[]): StatusError {
    const { kind, reportsErrorsOnce } = this.#strategy;
    const { name = '' } = metadata;
    return invalid(kind, name, reportsErrorsOnce ? withoutRepeats(errors) : errors);
  }

  #metadataErrors({ metadata }: KubeObject): FieldError[] {
    const { namespaced, validateName } = this.#strategy;
    return validateObjectMetaCreate(metadata, { namespaced, validateName, path: METADATA });
  }
}
