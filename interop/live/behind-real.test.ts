import { behindSuite } from '../behind/suite.ts';
import { wardleBehindOriginal } from '../behind/wardle-behind-original.ts';

await behindSuite('wardle behind the real kube-apiserver', wardleBehindOriginal);
