import { type ApiDefinition, defineApi } from '../../definition/api.ts';
import type { ResourceDefinition } from '../../definition/resource.ts';

/**
 * The APIs served now: those of the start, and resources added later with their groups. A group that did not change is
 * the same object, so that documents about it are made once.
 */
export class LiveApis {
  readonly #fixed: ReadonlyMap<string, ApiDefinition>;
  /** By group, in the order of addition. */
  readonly #added = new Map<string, Set<ResourceDefinition>>();
  readonly #known = new Map<string, ApiDefinition>();
  #all: readonly ApiDefinition[] | undefined;

  constructor(fixed: readonly ApiDefinition[]) {
    this.#fixed = new Map(fixed.map((api) => [api.group, api]));
    this.#all = fixed;
  }

  all(): readonly ApiDefinition[] {
    if (this.#all !== undefined) return this.#all;
    const groups = new Set([...this.#fixed.keys(), ...this.#added.keys()]);
    this.#all = [...groups].flatMap((group) => this.#api(group) ?? []);
    return this.#all;
  }

  add(group: string, definition: ResourceDefinition): void {
    this.#added.set(group, (this.#added.get(group) ?? new Set()).add(definition));
    this.#changed(group);
  }

  remove(group: string, definition: ResourceDefinition): void {
    const added = this.#added.get(group);
    if (!added?.delete(definition)) return;
    if (added.size === 0) this.#added.delete(group);
    this.#changed(group);
  }

  /** Throws when the kind or a name is taken in the group. */
  requireFree(
    group: string,
    { kind, plural }: ResourceDefinition,
    except?: ResourceDefinition,
  ): void {
    const others = [
      ...(this.#fixed.get(group)?.resources ?? []),
      ...(this.#added.get(group) ?? []),
    ];
    for (const other of others) {
      if (other === except) continue;
      const taken = other.kind === kind ? kind : other.plural === plural ? plural : undefined;
      if (taken !== undefined) throw new Error(`${group}: ${taken} is served already`);
    }
  }

  #changed(group: string): void {
    this.#known.delete(group);
    this.#all = undefined;
  }

  /** Undefined for a group without served versions. */
  #api(group: string): ApiDefinition | undefined {
    const fixed = this.#fixed.get(group);
    const added = this.#added.get(group);
    if (added === undefined) return fixed;
    const known = this.#known.get(group);
    if (known !== undefined) return known;
    const resources = [...(fixed?.resources ?? []), ...added].filter(isServed);
    if (resources.length === 0) return undefined;
    const api = defineApi({ group, resources, ...(fixed?.builtIn && { builtIn: true }) });
    this.#known.set(group, api);
    return api;
  }
}

function isServed({ versions }: ResourceDefinition): boolean {
  return [...versions.values()].some(({ served }) => served);
}
