import type { AuditObserver } from '../audit/audit-log.ts';
import { CounterFamily } from './family.ts';
import type { MetricsRegistry } from './registry.ts';

/** Metrics of the audit log. */
export function auditMetrics(
  registry: MetricsRegistry,
  onError: (error: unknown) => void,
): AuditObserver {
  const events = counter('event_total', 'Audit events generated').with();
  const levels = counter('level_total', 'Requests by audit level', ['level']);
  const errors = counter('error_total', 'Audit events that could not be written to the log', [
    'plugin',
  ]);
  // Requests never wait for the log, so none is rejected: lost events are counted above.
  counter('requests_rejected_total', 'Requests rejected because they could not be audited');

  function counter(name: string, help: string, labelNames: string[] = []): CounterFamily {
    return registry.add(new CounterFamily({ name: `apiserver_audit_${name}`, help, labelNames }));
  }
  return {
    level: (level) => levels.with(level).add(),
    event: () => events.add(),
    lost(count, error) {
      errors.with('log').add(count);
      if (error !== undefined) onError(error);
    },
  };
}
