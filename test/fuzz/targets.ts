import type { FuzzTarget } from './target.ts';
import { certificateTargets } from './targets/certificates.ts';
import { documentTargets } from './targets/documents.ts';
import { expressionTargets } from './targets/expressions.ts';
import { kubeconfigTarget } from './targets/kubeconfig.ts';
import { patchTargets } from './targets/patches.ts';
import { protobufTargets } from './targets/protobuf.ts';
import { textTargets } from './targets/texts.ts';

/** Every parser of ours that meets bytes of clients, backends, webhooks or users. */
export const targets: readonly FuzzTarget[] = [
  ...documentTargets,
  ...patchTargets,
  ...protobufTargets,
  ...certificateTargets,
  ...expressionTargets,
  ...textTargets,
  kubeconfigTarget,
];
