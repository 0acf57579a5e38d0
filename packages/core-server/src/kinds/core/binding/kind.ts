import { Binding } from '@tributary/api/core-v1';
import { badRequest } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import { pods } from '@tributary/client/controller';
import { computed } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';

/** The older form of `pods/binding`: a create calls the subresource, and nothing is stored. */
export function bindingKind({ client }: { readonly client: () => Client }) {
  return defineResource({
    kind: 'Binding',
    plural: 'bindings',
    scope: 'Namespaced',
    backing: computed<Binding>({
      create: async (binding, { namespace, dryRun, signal }) => {
        if (!binding.metadata.name) throw badRequest('Name parameter required.');
        const { managedFields: _none, ...metadata } = binding.metadata;
        const resource = client().resource<Binding>(pods).in(namespace);
        return await resource.create(
          { ...binding, metadata },
          { subresource: 'binding', dryRun, signal },
        );
      },
    }),
    versions: { v1: version({ typed: Binding }) },
  });
}
