/** Rules of nftables for the SIP ports. They admit the trunks and limit all other senders. */
import { isIP, isIPv6 } from 'node:net';
import type { SipSettings } from './settings.ts';

/** The packets that one port of an address may send. A telephone that registers and calls sends far fewer. */
const PORT_RATE = 'rate over 5/second burst 20 packets';
/**
 * The packets that one address may send. Many telephones of an office may share one address and register at the same
 * time.
 */
const ADDRESS_RATE = 'rate over 40/second burst 200 packets';

const SET = `    flags interval
    auto-merge
`;

/** The sets of unknown senders of the last minute. */
const DYNAMIC = [
  ['addresses4', 'ipv4_addr'],
  ['addresses6', 'ipv6_addr'],
  ['ports4', 'ipv4_addr . inet_service'],
  ['ports6', 'ipv6_addr . inet_service'],
]
  .map(
    ([name, type]) => `  set ${name} {
    type ${type}
    size 65535
    flags dynamic
    timeout 1m
  }
`,
  )
  .join('');

/**
 * Returns the rules, which `nft -f` loads. A second load replaces them. If a trunk has only a name, it is limited like
 * all other senders, because the addresses of a name change. A telephone outside the given networks is limited too: the
 * firewall cannot know which packets the engine will authenticate.
 */
export function renderFirewall(settings: SipSettings): string {
  const { trunks, localNetworks, phoneNetworks, sipPort, tlsPort } = settings;
  const ports = [...new Set([sipPort, tlsPort])];
  const networks = trunks.flatMap(({ host, match }) => (match.length > 0 ? match : isIP(host) === 0 ? [] : [host]));
  const admitted = [...new Set([...networks, ...localNetworks, ...phoneNetworks])];
  const ofFamily = (isSix: boolean) => admitted.filter((network) => isIPv6(network.split('/')[0] ?? '') === isSix);
  const elements = (list: readonly string[]) => (list.length === 0 ? '' : `    elements = { ${list.join(', ')} }\n`);
  return `# Written by "dialplane carriers setup". A change of this file is lost at the next run.
# Load it with: nft -f FILE
table inet dialplane_sip
delete table inet dialplane_sip
table inet dialplane_sip {
  set admitted4 {
    type ipv4_addr
${SET}${elements(ofFamily(false))}  }
  set admitted6 {
    type ipv6_addr
${SET}${elements(ofFamily(true))}  }
${DYNAMIC}  chain input {
    type filter hook input priority filter - 10; policy accept;
    iif lo accept
    meta l4proto { tcp, udp } th dport { ${ports.join(', ')} } jump sip
  }
  chain sip {
    ip saddr @admitted4 accept
    ip6 saddr @admitted6 accept
    update @addresses4 { ip saddr limit ${ADDRESS_RATE} } drop
    update @addresses6 { ip6 saddr limit ${ADDRESS_RATE} } drop
    update @ports4 { ip saddr . th sport limit ${PORT_RATE} } drop
    update @ports6 { ip6 saddr . th sport limit ${PORT_RATE} } drop
  }
}
`;
}
