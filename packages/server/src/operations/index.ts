/** Metrics and logs. */

export { descriptorDestination } from './logging/descriptor.ts';
export { LineWriter } from './logging/line-writer.ts';
export { CounterFamily, GaugeFamily, HistogramFamily } from './metrics/family.ts';
export {
  type FlowControlMetrics,
  flowControlMetrics,
  TimedLevel,
} from './metrics/flow-control-metrics.ts';
export { MetricsRegistry } from './metrics/registry.ts';
export { requestLabels } from './metrics/request-labels.ts';
export { ServerStopping } from './shutdown.ts';
export { catchUncaughtErrors, type UncaughtErrors } from './uncaught-errors.ts';
