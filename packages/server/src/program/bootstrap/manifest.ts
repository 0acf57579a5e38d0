import type { KubeObject, ObjectMeta } from '@tributary/apimachinery';
import type { Installation } from './bootstrap-options.ts';

/** The label of all objects of an installation. */
function commonLabels({ service }: Pick<Installation, 'service'>): Record<string, string> {
  return {
    'app.kubernetes.io/name': service,
    'app.kubernetes.io/part-of': 'tributary',
    'app.kubernetes.io/managed-by': 'tributary-bootstrap',
  };
}

/** The selector of Service, Deployment and NetworkPolicy. */
export function podLabels({ service }: Pick<Installation, 'service'>): Record<string, string> {
  return { 'app.kubernetes.io/name': service };
}

interface ManifestInput {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Absent for cluster-scoped objects. */
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
