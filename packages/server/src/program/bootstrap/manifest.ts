import type { KubeObject, ObjectMeta } from '@tributary/apimachinery';
import type { Installation } from './bootstrap-options.ts';

/** Everything that was installed together is found by this label. */
export function commonLabels({ service }: Pick<Installation, 'service'>): Record<string, string> {
  return {
    'app.kubernetes.io/name': service,
    'app.kubernetes.io/part-of': 'tributary',
    'app.kubernetes.io/managed-by': 'tributary-bootstrap',
  };
}

/** By which a Service, a Deployment and a NetworkPolicy find pods. */
export function podLabels({ service }: Pick<Installation, 'service'>): Record<string, string> {
  return { 'app.kubernetes.io/name': service };
}

export interface ManifestInput {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Absent for what is cluster-scoped. */
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
}

export function manifest(
  installation: Installation,
  input: ManifestInput,
  content: Readonly<Record<string, unknown>> = {},
): KubeObject {
  const { apiVersion, kind, name, namespace, labels, annotations } = input;
  const metadata: ObjectMeta = {
    name,
    ...(namespace !== undefined && { namespace }),
    labels: { ...commonLabels(installation), ...labels },
    ...(annotations && { annotations }),
  };
  return { apiVersion, kind, metadata, ...content };
}

export function accountOf({ service, namespace }: Installation) {
  return { kind: 'ServiceAccount', name: service, namespace };
}
