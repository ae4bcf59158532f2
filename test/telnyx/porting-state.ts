/** The ports of the emulated account: the orders, their events, and the documents that people uploaded. */

export type PortingStatus =
  | 'draft'
  | 'in-process'
  | 'submitted'
  | 'exception'
  | 'foc-date-confirmed'
  | 'ported'
  | 'cancel-pending'
  | 'cancelled';

/** The obstacle of an order; `code` is one of Telnyx's exception types. */
export type StatusDetail = { readonly code: string; readonly description: string };

type PortingStatusValue = { readonly value: PortingStatus; readonly details: readonly StatusDetail[] };

type Texts<Name extends string> = Partial<Record<Name, string | null>>;

/** The parts of an order that a request can change; each field separately. */
export type PortingDetails = {
  readonly end_user: {
    readonly admin: Texts<
      | 'entity_name'
      | 'auth_person_name'
      | 'billing_phone_number'
      | 'account_number'
      | 'pin_passcode'
      | 'tax_identifier'
      | 'business_identifier'
    >;
    readonly location: Texts<
      'street_address' | 'extended_address' | 'locality' | 'administrative_area' | 'postal_code' | 'country_code'
    >;
  };
  readonly documents: Texts<'loa' | 'invoice'>;
  readonly misc: Texts<'type' | 'remaining_numbers_action' | 'new_billing_phone_number'>;
  readonly phone_number_configuration: Texts<
    'connection_id' | 'messaging_profile_id' | 'emergency_address_id' | 'billing_group_id'
  > & { readonly tags?: readonly string[] };
  readonly messaging: {
    readonly enable_messaging: boolean;
    readonly messaging_capable: boolean;
    readonly messaging_port_completed: boolean;
    readonly messaging_port_status: 'not_applicable' | 'pending' | 'canceled' | 'ported';
  };
  readonly activation_settings: {
    readonly fast_port_eligible: boolean;
    readonly foc_datetime_requested: string | null;
    readonly foc_datetime_actual: string | null;
  };
  readonly user_feedback: { readonly user_comment?: string | null; readonly user_rating?: number | null };
};

export type PortingOrder = PortingDetails & {
  readonly id: string;
  numbers: readonly string[];
  readonly type: 'local' | 'toll_free';
  /** The operating company number of the losing carrier. */
  readonly losingCarrier: { readonly name: string; readonly ocn: string };
  customer_reference: string | null;
  customer_group_reference: string | null;
  webhook_url: string | null;
  /** Null until the order is confirmed. */
  support_key: string | null;
  status: PortingStatusValue;
  /** How often the order was confirmed. */
  confirmations: number;
  readonly created_at: string;
  updated_at: string;
};

/** A document that is added to an order. The order itself does not name it. */
export type AdditionalDocument = {
  readonly id: string;
  readonly porting_order_id: string;
  readonly document_id: string;
  readonly document_type: 'loa' | 'invoice' | 'csr' | 'other';
  readonly created_at: string;
  readonly updated_at: string;
};

/** An event of an order, as a list of events shows it. */
export type PortingEvent = {
  readonly id: string;
  readonly record_type: 'porting_event';
  readonly event_type: string;
  readonly available_notification_methods: readonly ('email' | 'webhook')[];
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly payload_status: 'completed';
  readonly porting_order_id: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** A file that was uploaded. Its content is known by its size and hash only. */
export type Document = {
  readonly record_type: 'document';
  readonly id: string;
  readonly filename: string;
  readonly customer_reference: string | null;
  content_type: string;
  sha256: string;
  size: { readonly unit: 'bytes'; readonly amount: number };
  status: 'pending' | 'verified' | 'denied';
  av_scan_status: 'pending_scan' | 'scanned';
  readonly created_at: string;
  updated_at: string;
};
