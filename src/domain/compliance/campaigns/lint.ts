import { DISCLOSURES, METHODS, PATTERNS } from './lint-patterns.ts';
import { OPT_IN_CHARS_MIN, SAMPLES_MAX, SAMPLES_MIN, type UseCase } from './rules.ts';

/** Texts of a campaign. `senders` are the tenant's names that recipients know; empty if unknown. */
export type CampaignTexts = {
  readonly use_case: UseCase;
  readonly description: string;
  readonly sample_messages: readonly string[];
  readonly opt_in_description: string;
  readonly senders: readonly string[];
};

/** A reviewer's likely objection, its field, and the remedy. */
export type LintFinding = { field: string; rule: string; message: string; remedy: string };

/** More than the rules find in the fields. */
export const FINDINGS_MAX = 100;

const DESCRIPTION_CHARS_WANTED = 40;
const SAMPLE_CHARS_WANTED = 20;

/** Returns everything in the texts that reviewers are known to reject, in the order of the fields. */
export function lintCampaign(texts: CampaignTexts): LintFinding[] {
  return [...lintDescription(texts), ...lintSamples(texts), ...lintOptIn(texts)].slice(0, FINDINGS_MAX);
}

function lintDescription({ description, use_case }: CampaignTexts): LintFinding[] {
  const field = 'description';
  const findings: LintFinding[] = [];
  if (description.trim().length < DESCRIPTION_CHARS_WANTED) {
    findings.push({
      field,
      rule: 'description_too_short',
      message: 'The description says too little for a reviewer to judge.',
      remedy: 'Say in a sentence or two who sends which texts to whom, and why they expect them.',
    });
  }
  findings.push(...lintText(field, description));
  if (use_case === 'marketing' && !PATTERNS.promotion.test(description)) {
    findings.push({
      field,
      rule: 'use_case_mismatch',
      message: 'The use case is marketing, but the description names nothing that is promoted.',
      remedy: 'Say what is advertised (offers, news, events), or choose the use case that the texts belong to.',
    });
  }
  return findings;
}

function lintSamples({ sample_messages: samples, use_case, senders }: CampaignTexts): LintFinding[] {
  const findings: LintFinding[] = [];
  if (samples.length < SAMPLES_MIN) {
    findings.push({
      field: 'sample_messages',
      rule: 'too_few_samples',
      message: 'Too few samples to show what will be sent.',
      remedy: `Give ${SAMPLES_MIN} to ${SAMPLES_MAX} samples, at least one of each kind of text.`,
    });
  }
  samples.forEach((sample, index) => {
    findings.push(...lintSample(`sample_messages[${index}]`, sample, use_case));
    if (samples.findIndex((other) => same(other, sample)) < index) {
      findings.push({
        field: `sample_messages[${index}]`,
        rule: 'sample_repeated',
        message: 'This sample repeats an earlier one.',
        remedy: 'Show another text that the campaign sends.',
      });
    }
  });
  return [...findings, ...lintAllSamples(samples, senders)];
}

/** Checks the facts that at least one of the samples must show. */
function lintAllSamples(samples: readonly string[], senders: readonly string[]): LintFinding[] {
  const findings: LintFinding[] = [];
  if (samples.length > 0 && !samples.some((sample) => PATTERNS.optOut.test(sample))) {
    findings.push({
      field: 'sample_messages',
      rule: 'no_opt_out',
      message: 'No sample tells recipients how to stop the texts.',
      remedy: 'End at least one sample with words such as "Reply STOP to opt out."',
    });
  }
  const named = (sample: string) =>
    PATTERNS.senderBlank.test(sample) || senders.some((name) => simple(sample).includes(simple(name)));
  if (samples.length > 0 && senders.length > 0 && !samples.some(named)) {
    findings.push({
      field: 'sample_messages',
      rule: 'sender_not_named',
      message: 'No sample says who it is from.',
      remedy: `Begin samples with the name recipients know, such as "${senders.at(-1)}: …".`,
    });
  }
  return findings;
}

function lintSample(field: string, sample: string, useCase: UseCase): LintFinding[] {
  const findings = lintText(field, sample);
  if (sample.trim().length < SAMPLE_CHARS_WANTED) {
    findings.push({
      field,
      rule: 'sample_too_short',
      message: 'This sample is too short to show what will be sent.',
      remedy: 'Give the text as it will go out; mark what varies, such as [name] or [time].',
    });
  }
  if (PATTERNS.shortener.test(sample)) {
    findings.push({
      field,
      rule: 'public_url_shortener',
      message: 'Carriers block links of public URL shorteners.',
      remedy: "Link to the sender's own domain, in full or through a short domain of its own.",
    });
  }
  if (useCase === 'two_factor' && !PATTERNS.code.test(sample)) {
    findings.push({
      field,
      rule: 'use_case_mismatch',
      message: 'The use case is two_factor, but this sample carries no code.',
      remedy: 'Show the text with its one-time code, or choose the use case that the text belongs to.',
    });
  }
  if (useCase !== 'marketing' && useCase !== 'mixed' && PATTERNS.promotion.test(sample)) {
    findings.push({
      field,
      rule: 'use_case_mismatch',
      message: `This sample advertises, which the use case ${useCase} does not cover.`,
      remedy: 'Take the offer out, or use marketing or mixed.',
    });
  }
  return findings;
}

function lintOptIn({ opt_in_description: optIn }: CampaignTexts): LintFinding[] {
  const field = 'opt_in_description';
  const findings = lintText(field, optIn);
  const find = (rule: string, message: string, remedy: string) => findings.push({ field, rule, message, remedy });
  if (optIn.trim().length < OPT_IN_CHARS_MIN) {
    find(
      'opt_in_too_short',
      `The description of the opt-in has fewer than ${OPT_IN_CHARS_MIN} characters.`,
      'Tell step by step what the recipient sees, does and agrees to.',
    );
  }
  if (!METHODS.some((method) => method.test(optIn))) {
    find(
      'opt_in_no_method',
      'It is not said where or how recipients give their consent.',
      'Name the place: a form on a website with its address, a paper form, a keyword, a call, the front desk.',
    );
  }
  if (!PATTERNS.consent.test(optIn)) {
    find(
      'opt_in_no_consent',
      'It is not said that recipients agree to get texts.',
      'Say that they agree, by ticking a box, signing, or saying yes, and to what.',
    );
  }
  if (PATTERNS.webForm.test(optIn) && !PATTERNS.url.test(optIn)) {
    find('opt_in_no_link', 'Consent is given online, but there is no address to look at.', 'Add the URL of the page.');
  }
  if (PATTERNS.implied.test(optIn)) {
    find(
      'opt_in_not_explicit',
      'Consent that is implied, bought or ticked beforehand does not count.',
      'Ask each recipient, with a box that is empty until they tick it, apart from other terms.',
    );
  }
  const absent = DISCLOSURES.filter(({ pattern }) => !pattern.test(optIn)).map(({ name }) => name);
  if (absent.length > 0) {
    find(
      'opt_in_no_disclosure',
      `Not said to be told to recipients: ${absent.join('; ')}.`,
      'Quote the words next to the consent. They must contain each of these.',
    );
  }
  return findings;
}

/** Checks a text of any field. */
function lintText(field: string, text: string): LintFinding[] {
  const findings: LintFinding[] = [];
  const prohibited = PATTERNS.prohibited.exec(text)?.[0];
  if (prohibited !== undefined) {
    findings.push({
      field,
      rule: 'prohibited_content',
      message: `"${prohibited}" is of a kind that carriers do not carry, or only on special terms.`,
      remedy:
        'Take it out. Sex, hate, alcohol, firearms, tobacco, cannabis, gambling and risky loans are not approved.',
    });
  }
  if (PATTERNS.placeholder.test(text)) {
    findings.push({
      field,
      rule: 'placeholder_text',
      message: 'This is filler, not the text that will be used.',
      remedy: 'Write what recipients will read.',
    });
  }
  if (PATTERNS.sharing.test(text)) {
    findings.push({
      field,
      rule: 'third_party_sharing',
      message: 'Numbers or consent appear to be shared with others.',
      remedy: 'Consent holds for one sender. Say that numbers are not shared or sold for marketing.',
    });
  }
  return findings;
}

function same(a: string, b: string): boolean {
  return simple(a) === simple(b);
}

/** Returns only letters and digits in lower case, so that "Desert Dental, LLC" is found in "desert dental llc". */
function simple(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
