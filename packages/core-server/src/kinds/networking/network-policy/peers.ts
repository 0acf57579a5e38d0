import type {
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from '@tributary/api/networking-v1';
import { type FieldPath, root } from '@tributary/apimachinery';

const SPEC = root('spec');

export interface PeerAt {
  readonly peer: NetworkPolicyPeer;
  readonly path: FieldPath;
}

/** An ingress or egress rule. */
export interface PolicyRule {
  readonly ports: readonly NetworkPolicyPort[];
  readonly portsPath: FieldPath;
  readonly peers: readonly PeerAt[];
}

/** Ingress rules, then egress rules. */
export function rulesOf({ ingress = [], egress = [] }: NetworkPolicySpec): PolicyRule[] {
  return [
    ...ingress.map(({ ports, from }, index) =>
      ruleAt(SPEC.child('ingress').index(index), ports, { name: 'from', peers: from }),
    ),
    ...egress.map(({ ports, to }, index) =>
      ruleAt(SPEC.child('egress').index(index), ports, { name: 'to', peers: to }),
    ),
  ];
}

function ruleAt(
  path: FieldPath,
  ports: readonly NetworkPolicyPort[] = [],
  { name, peers = [] }: { name: string; peers: readonly NetworkPolicyPeer[] | undefined },
): PolicyRule {
  return {
    ports,
    portsPath: path.child('ports'),
    peers: peers.map((peer, index) => ({ peer, path: path.child(name).index(index) })),
  };
}
