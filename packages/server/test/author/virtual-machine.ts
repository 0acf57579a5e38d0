/** Virtual machines: kept as objects, driven by actions, and looked at through their consoles. */
import Type from 'typebox';
import { acceptWebSocket, type WebSocketChannel } from '../../src/http/websocket/index.ts';
import { type ApiDefinition, defineApi, defineResource, version } from '../../src/index.ts';

export interface MachineName {
  readonly namespace: string;
  readonly name: string;
}

/** Where the machines really are. */
export interface Hypervisor {
  start(machine: MachineName, options: { paused: boolean; signal: AbortSignal }): Promise<void>;
  stop(machine: MachineName, options: { graceSeconds: number; signal: AbortSignal }): Promise<void>;
  nodes(): readonly string[];
  console(machine: MachineName, channel: WebSocketChannel): Promise<void>;
  screen(machine: MachineName, channel: WebSocketChannel): Promise<void>;
}

const v1 = version({
  spec: Type.Object({
    image: Type.String({ minLength: 1 }),
    cpus: Type.Integer({ minimum: 1, maximum: 256, default: 1 }),
    memoryMi: Type.Integer({ minimum: 64, default: 1024 }),
    node: Type.Optional(Type.String()),
  }),
  status: Type.Object({
    phase: Type.Enum(['Stopped', 'Running', 'Paused', 'Migrating']),
  }),
  columns: [
    { name: 'Phase', cell: ({ status }) => status?.phase ?? 'Stopped' },
    { name: 'Node', cell: ({ spec }) => spec.node ?? '' },
    { name: 'CPUs', type: 'integer', priority: 1, cell: ({ spec }) => spec.cpus },
  ],
  selectableFields: ['spec.node'],
});

export function virtualMachines(hypervisor: Hypervisor): ApiDefinition {
  const VirtualMachine = defineResource({
    kind: 'VirtualMachine',
    plural: 'virtualmachines',
    shortNames: ['vm'],
    categories: ['all'],
    scope: 'Namespaced',
    versions: { v1 },
    deletionGraceSeconds: () => 30,
    subresources: {
      status: true,
      actions: {
        start: {
          body: Type.Object({ paused: Type.Optional(Type.Boolean()) }),
          run: async ({ object, body: { paused = false }, signal, dryRun, update }) => {
            if (!dryRun) await hypervisor.start(nameOf(object), { paused, signal });
            return update((machine) => ({
              ...machine,
              status: { phase: paused ? 'Paused' : 'Running' },
            }));
          },
        },
        stop: {
          body: Type.Object({ graceSeconds: Type.Optional(Type.Integer({ minimum: 0 })) }),
          run: async ({ object, body: { graceSeconds = 30 }, signal, dryRun, update }) => {
            if (!dryRun) await hypervisor.stop(nameOf(object), { graceSeconds, signal });
            return update((machine) => ({ ...machine, status: { phase: 'Stopped' } }));
          },
        },
        migrate: {
          body: Type.Object({ node: Type.String({ minLength: 1 }) }),
          run: async ({ body: { node }, update }) =>
            update((machine) => ({
              ...machine,
              spec: { ...machine.spec, node },
              status: { phase: 'Migrating' },
            })),
        },
      },
      connections: {
        console: {
          methods: ['GET'],
          connect: async ({ object, request }) =>
            acceptWebSocket(request, {
              protocols: ['plain.kubevirt.io', ''],
              serve: (channel) => hypervisor.console(nameOf(object), channel),
            }),
        },
        vnc: {
          methods: ['GET'],
          connect: async ({ object, request }) =>
            acceptWebSocket(request, {
              protocols: ['binary', ''],
              serve: (channel) => hypervisor.screen(nameOf(object), channel),
            }),
        },
      },
    },
  });
  return defineApi({ group: 'kubevirt.example.com', resources: [VirtualMachine] });
}

function nameOf({
  metadata: { namespace = '', name = '' },
}: {
  metadata: Partial<MachineName>;
}): MachineName {
  return { namespace, name };
}
