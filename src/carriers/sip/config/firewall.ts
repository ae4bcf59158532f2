/** Rules of nftables for the SIP ports: they admit the trunks, and limit everybody else. */
import { isIP, isIPv6 } from 'node:net';
import type { SipSettings } from './settings.ts';

/** Packets that one address may send: a telephone that registers and calls stays far below. */
const STRANGER_RATE = 'rate over 5/second burst 20 packets';

const SET = `    flags interval
    auto-merge
`;

/**
 * Returns the rules, to be loaded with `nft -f`. A second load replaces them. Trunks that are given by name alone are
 * limited like everybody else, because the addresses of a name change.
 */
export function renderFirewall({ trunks, localNetworks, sipPort, tlsPort }: SipSettings): string {
  const ports = [...new Set([sipPort, tlsPort])];
  const networks = trunks.flatMap(({ host, match }) => (match.length > 0 ? match : isIP(host) === 0 ? [] : [host]));
  const admitted = [...new Set([...networks, ...localNetworks])];
  const ofFamily = (isSix: boolean) => admitted.filter((each) => isIPv6(each.split('/')[0] ?? '') === isSix);
  const elements = (list: readonly string[]) => (list.length === 0 ? '' : `    elements = { ${list.join(', ')} }\n`);
  return `# Written by "dialplane carriers setup". A change of this file is lost at the next run.
# Load it with: nft -f FILE
table inet dialplane_sip
delete table inet dialplane_sip
table inet dialplane_sip {
  set trunks4 {
    type ipv4_addr
${SET}${elements(ofFamily(false))}  }
  set trunks6 {
    type ipv6_addr
${SET}${elements(ofFamily(true))}  }
  set strangers4 {
    type ipv4_addr
    size 65535
    flags dynamic
    timeout 1m
  }
  set strangers6 {
    type ipv6_addr
    size 65535
    flags dynamic
    timeout 1m
  }
  chain input {
    type filter hook input priority filter - 10; policy accept;
    iif lo accept
    meta l4proto { tcp, udp } th dport { ${ports.join(', ')} } jump sip
  }
  chain sip {
    ip saddr @trunks4 accept
    ip6 saddr @trunks6 accept
    update @strangers4 { ip saddr limit ${STRANGER_RATE} } drop
    update @strangers6 { ip6 saddr limit ${STRANGER_RATE} } drop
  }
}
`;
}
