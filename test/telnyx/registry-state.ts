/** The brands and campaigns of the emulated account in the 10DLC registry. */

export type Brand = {
  readonly brandId: string;
  readonly displayName: string;
  readonly entityType: string;
  readonly mobilePhone?: string;
  readonly webhookURL?: string;
  readonly webhookFailoverURL?: string;
  readonly brandRelationship: string;
  readonly createdAt: string;
  updatedAt: string;
  tcrBrandId: string | null;
  status: 'OK' | 'REGISTRATION_PENDING' | 'REGISTRATION_FAILED';
  identityStatus: 'SELF_DECLARED' | 'UNVERIFIED' | 'VERIFIED' | 'VETTED_VERIFIED' | 'IN_REVIEW' | 'PENDING';
  failureReasons?: string;
};

/** A code that was texted to a sole proprietor. */
export type Otp = {
  readonly referenceId: string;
  readonly brandId: string;
  readonly pin: string;
  readonly successText: string;
  readonly requestDate: string;
  deliveryStatus: 'DELIVERED_HANDSET' | 'DELIVERY_FAILED' | 'EXPIRED';
  verifyDate: string | null;
};

export type CampaignStatus =
  | 'TCR_PENDING'
  | 'TCR_ACCEPTED'
  | 'TCR_FAILED'
  | 'TCR_SUSPENDED'
  | 'TCR_EXPIRED'
  | 'TELNYX_ACCEPTED'
  | 'TELNYX_FAILED'
  | 'MNO_PENDING'
  | 'MNO_ACCEPTED'
  | 'MNO_REJECTED'
  | 'MNO_PROVISIONED'
  | 'MNO_PROVISIONING_FAILED';

export type Campaign = {
  readonly campaignId: string;
  readonly brandId: string;
  readonly tcrBrandId: string | null;
  readonly brandDisplayName: string;
  readonly cspId: string;
  readonly usecase: string;
  readonly subUsecases: readonly string[];
  readonly termsAndConditions: boolean;
  readonly referenceId?: string;
  readonly mock: boolean;
  readonly createDate: string;
  readonly webhookURL?: string;
  readonly webhookFailoverURL?: string;
  tcrCampaignId: string | null;
  campaignStatus: CampaignStatus;
  submissionStatus: 'CREATED' | 'FAILED' | 'PENDING';
  status: 'ACTIVE' | 'EXPIRED';
  isTMobileRegistered: boolean;
  isTMobileSuspended: boolean;
  failureReasons?: string;
};

export type AssignmentStatus =
  | 'PENDING_ASSIGNMENT'
  | 'ASSIGNED'
  | 'FAILED_ASSIGNMENT'
  | 'PENDING_UNASSIGNMENT'
  | 'FAILED_UNASSIGNMENT';

/** A number and the campaign that it sends under. */
export type NumberCampaign = {
  readonly phoneNumber: string;
  readonly campaignId: string;
  readonly telnyxCampaignId: string;
  readonly tcrCampaignId: string | null;
  readonly brandId: string;
  readonly tcrBrandId: string | null;
  readonly createdAt: string;
  updatedAt: string;
  assignmentStatus: AssignmentStatus;
  failureReasons: string | null;
};
