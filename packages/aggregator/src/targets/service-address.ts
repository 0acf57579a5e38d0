import type { WatchedTargets } from './watch-targets.ts';

export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

/** One of those who answer for a service, any time another one; throws why nobody does. */
export function serviceAddress(
  targets: Pick<WatchedTargets, 'find'> | undefined,
  service: { readonly namespace: string; readonly name: string; readonly port: number },
): ServiceAddress {
  if (targets === undefined) throw new Error('services are not known yet');
  const found = targets.find({ service, url: undefined });
  if ('problem' in found) {
    const { reason, message } = found.problem;
    // In the words of who looks for a webhook.
    throw new Error(reason === 'ServiceNotFound' ? `service "${service.name}" not found` : message);
  }
  const chosen = found.targets[Math.floor(Math.random() * found.targets.length)];
  if (chosen === undefined) throw new Error(`no endpoints available for service "${service.name}"`);
  return { host: chosen.host, port: chosen.port };
}
