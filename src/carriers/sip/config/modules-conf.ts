/** The modules that an engine loads. It loads only modules that calls need. */
import { file } from './ini.ts';

/**
 * Modules that must not be loaded. With them the REST interface can deadlock, and the engine then answers no request.
 */
export const FORBIDDEN_MODULES = ['res_stasis_device_state.so', 'res_ari_device_states.so'];

const STORAGE = ['res_sorcery_config', 'res_sorcery_memory', 'res_sorcery_astdb', 'res_timing_timerfd'];

const SIP = [
  'res_pjproject',
  'res_pjsip',
  'res_pjsip_pubsub',
  'res_pjsip_session',
  'res_pjsip_sdp_rtp',
  'res_pjsip_authenticator_digest',
  'res_pjsip_outbound_authenticator_digest',
  'res_pjsip_outbound_registration',
  'res_pjsip_endpoint_identifier_ip',
  'res_pjsip_endpoint_identifier_user',
  'res_pjsip_registrar',
  'res_pjsip_caller_id',
  'res_pjsip_diversion',
  'res_pjsip_dlg_options',
  'res_pjsip_dtmf_info',
  'res_pjsip_empty_info',
  'res_pjsip_header_funcs',
  'res_pjsip_nat',
  'res_pjsip_path',
  'res_pjsip_rfc3326',
  'res_pjsip_sips_contact',
  'chan_pjsip',
];

const AUDIO = [
  'res_rtp_asterisk',
  'res_srtp',
  'res_format_attr_opus',
  'codec_ulaw',
  'codec_alaw',
  'codec_a_mu',
  'codec_g722',
  'codec_resample',
  'format_pcm',
  'format_sln',
  'format_wav',
  'bridge_simple',
  'bridge_softmix',
  'bridge_native_rtp',
  'bridge_holding',
  'chan_bridge_media',
  'chan_websocket',
  'res_http_websocket',
  'res_websocket_client',
  'res_curl',
  'res_http_media_cache',
];

const CONTROL = [
  'res_stasis',
  'res_stasis_answer',
  'res_stasis_playback',
  'res_stasis_recording',
  'res_stasis_snoop',
  'res_ari',
  'res_ari_model',
  'res_ari_applications',
  'res_ari_asterisk',
  'res_ari_bridges',
  'res_ari_channels',
  'res_ari_endpoints',
  'res_ari_events',
  'res_ari_playbacks',
  'res_ari_recordings',
  'app_stasis',
  // For emergency calls of telephones.
  'app_dial',
  // For the actions at the end of a channel.
  'app_stack',
  'func_logic',
  'pbx_config',
  'func_callerid',
  'func_channel',
  'func_hangupcause',
  'func_uri',
  'res_security_log',
];

/** The modules that calls need, in their order of loading. */
export const NEEDED_MODULES = [...STORAGE, ...SIP, ...AUDIO, ...CONTROL].map((name) => `${name}.so`);

/** Other packages name the opus codec differently, so an engine may run without it. */
const OPTIONAL_MODULES = ['codec_opus_open_source.so'];

export function renderModules(): string {
  const lines = [
    '[modules]',
    'autoload = no',
    ...[...NEEDED_MODULES, ...OPTIONAL_MODULES].map((name) => `load = ${name}`),
    ...FORBIDDEN_MODULES.map((name) => `noload = ${name}`),
  ];
  return file(`${lines.join('\n')}\n`);
}
