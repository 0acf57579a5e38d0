import { proxySecuritySuite } from './security-suite.ts';
import { proxyUsers } from './users.ts';

for (const user of proxyUsers) proxySecuritySuite(user);
