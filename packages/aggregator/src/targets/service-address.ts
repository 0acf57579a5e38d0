import type { WatchedTargets } from './watch-targets.ts';

export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

/** A random target of a Service; throws the reason when there is none. */
export function serviceAddress(
  targets: Pick<WatchedTargets, 'find'> | undefined,
  service: { readonly namespace: string; readonly name: string; readonly port: number },
): ServiceAddress {
  if (targets === undefined) throw new Error('services are not known yet');
  const found = targets.find({ service, url: undefined });
  if ('problem' in found) {
    const { reason, message } = found.problem;
    // In upstream's words for webhooks.
    throw new Error(reason === 'ServiceNotFound' ? `service "${service.name}" not found` : message);
  }
  const chosen = found.targets[Math.floor(Math.random() * found.targets.length)];
  if (chosen === undefined) throw new Error(`no endpoints available for service "${service.name}"`);
  return { host: chosen.host, port: chosen.port };
}
