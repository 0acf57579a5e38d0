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

/** One rule, in whichever direction. */
export interface RuleAt {
  readonly ports: readonly NetworkPolicyPort[];
  readonly portsPath: FieldPath;
  readonly peers: readonly PeerAt[];
}

/** Those for what comes in first, then those for what goes out. */
export function rulesOf({ ingress = [], egress = [] }: NetworkPolicySpec): RuleAt[] {
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
): RuleAt {
  return {
    ports,
    portsPath: path.child('ports'),
    peers: peers.map((peer, index) => ({ peer, path: path.child(name).index(index) })),
  };
}
