import type { NetworkPolicy } from '@tributary/api/networking-v1';
import { warningsForCidr } from '@tributary/apimachinery';
import { rulesOf } from './peers.ts';

/** Warns of CIDRs that other programs may parse differently. */
export function networkPolicyWarnings({ spec }: NetworkPolicy): string[] {
  return rulesOf(spec).flatMap(({ peers }) =>
    peers.flatMap(({ peer: { ipBlock }, path }) => {
      if (ipBlock === undefined) return [];
      const at = path.child('ipBlock');
      const { cidr, except = [] } = ipBlock;
      return [
        ...warningsForCidr(at.child('cidr'), cidr),
        ...except.flatMap((one, index) => warningsForCidr(at.child('except').index(index), one)),
      ];
    }),
  );
}
