import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { UndescribedVersion } from '@tributary/server/definition';

/** Definitions that the OpenAPI documents omit, with reasons, which are known once the documents have been built. */
export interface UndescribedDefinitions {
  report(definition: CustomResourceDefinition, problem: UndescribedVersion): void;
  /** Undefined when the definition is described, or when no document was built since its last change. */
  reasonOf(definition: CustomResourceDefinition): string | undefined;
  forget(name: string): void;
  /** Called with the name of a definition when a reason is first reported. */
  onReport(listener: (name: string) => void): void;
}

interface Reported {
  readonly state: string;
  readonly byVersion: Map<string, string>;
}

/** Indexed by name; deleted definitions are removed. */
export function undescribedDefinitions(): UndescribedDefinitions {
  const reported = new Map<string, Reported>();
  const listeners: ((name: string) => void)[] = [];
  return {
    report(definition, { version, reason }) {
      const name = definition.metadata.name ?? '';
      const state = stateOf(definition);
      let known = reported.get(name);
      if (known?.state !== state) known = { state, byVersion: new Map() };
      if (known.byVersion.get(version) === reason) return;
      known.byVersion.set(version, reason);
      reported.set(name, known);
      for (const listener of listeners) listener(name);
    },
    reasonOf(definition) {
      const known = reported.get(definition.metadata.name ?? '');
      if (known?.state !== stateOf(definition)) return undefined;
      return [...known.byVersion].map(([version, reason]) => `${version}: ${reason}`).join('; ');
    },
    forget: (name) => void reported.delete(name),
    onReport: (listener) => void listeners.push(listener),
  };
}

/** The generation counts changes of the spec. */
function stateOf({ metadata }: CustomResourceDefinition): string {
  return `${metadata.uid} ${metadata.generation}`;
}
