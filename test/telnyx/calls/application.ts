export type Application = {
  readonly record_type: 'call_control_application';
  readonly id: string;
  application_name: string;
  webhook_event_url: string;
  webhook_api_version: string;
  webhook_timeout_secs: number | null;
  outbound: object;
  active: boolean;
  readonly created_at: string;
  updated_at: string;
};

export type OutboundProfile = {
  readonly record_type: 'outbound_voice_profile';
  readonly id: string;
  name: string;
  whitelisted_destinations: readonly string[];
  enabled: boolean;
  readonly created_at: string;
  updated_at: string;
};
