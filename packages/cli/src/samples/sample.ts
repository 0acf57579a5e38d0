import type { CoreFlags, ServiceName } from '@tributary/core-server';

export const sampleNames = ['wardle'] as const;
export type SampleName = (typeof sampleNames)[number];

/** Flags of the control plane that its samples depend on. */
export interface SampleFlags
  extends Pick<
    CoreFlags,
    'allowLoopbackEndpoints' | 'dataDir' | 'loggingFormat' | 'rootCaFile' | 'storage'
  > {
  readonly enableAggregatorRouting: boolean;
  readonly sample: readonly SampleName[];
}

/** A server that comes along, and how it is installed behind the aggregator. */
export interface Sample {
  readonly name: SampleName;
  /** Where its program is. */
  readonly packageName: string;
  readonly program: string;
  readonly group: string;
  /** The preferred one first. */
  readonly versions: readonly string[];
  readonly service: ServiceName;
  /** Its service account, in the namespace of the Service. */
  readonly account: string;
  /** A resource of the preferred version, by which it is seen whether requests arrive. */
  readonly resource: string;
  /** An object to create, as a file of its package. */
  readonly manifest: string;
}

export const samplesByName: Readonly<Record<SampleName, Sample>> = {
  wardle: {
    name: 'wardle',
    packageName: '@tributary/sample-wardle',
    program: 'wardle-apiserver',
    group: 'wardle.example.com',
    versions: ['v1beta1', 'v1alpha1'],
    service: { namespace: 'wardle', name: 'api' },
    account: 'apiserver',
    resource: 'flunders',
    manifest: 'manifests/flunder.yaml',
  },
};
