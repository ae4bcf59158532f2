/** The words that the campaign check searches for. They are English, like the reviews. */
export const PATTERNS = {
  optOut: /\b(stop|unsubscribe|opt[ -]?out)\b/i,
  /** A placeholder for the sender's name. */
  senderBlank: /[[{<(]\s*(business|company|brand|practice|clinic|store|sender|shop)([ _-]?name)?\s*[\]}>)]/i,
  shortener:
    /\b(bit\.ly|tinyurl\.com|goo\.gl|t\.co|ow\.ly|is\.gd|buff\.ly|rebrand\.ly|cutt\.ly|rb\.gy|shorturl\.at|t\.ly|tiny\.cc)\b/i,
  code: /\b(code|passcode|pin|otp|verif\w*|one-time)\b|\b\d{4,8}\b/i,
  promotion:
    /\b(sales?|discounts?|coupons?|promo(tion)?(s|al)?|offers?|deals?|specials?|save \$?\d+|\d+ ?% off|free gift|newsletters?|marketing|buy now|limited time|news|announcements?|events?)\b/i,
  prohibited:
    /\b(porn\w*|escorts?|adult content|xxx|cannabis|marijuana|weed|cbd|thc|vap(e|es|ing)|tobacco|cigar(s|ettes?)?|alcohol|liquor|beer|wine|whiskey|vodka|firearms?|guns?|ammo|ammunition|casino|gambling|betting|sportsbook|lottery|payday loans?|debt (relief|consolidation|forgiveness|collection)|credit repair|forex|get rich|work from home|lead generation|affiliate marketing)\b/i,
  placeholder:
    /\blorem ipsum\b|\basdf\w*|^\s*(this is )?(a )?(test|sample|example)( message| text)?( \d+)?\s*[.!]?\s*$|\bTODO\b|\bTBD\b/i,
  sharing:
    /\b(?<!not |never |n't |nor )(shar(e|es|ed|ing)|sell(s|ing)?|sold|rent(s|ed)?|transfer(s|red)?)\b[^.]{0,60}\b(third[ -]part(y|ies)|partners?|affiliates?|advertisers?)\b/i,
  consent:
    /\b(consents?|agrees?|agreeing|opts?[ -]?in|opted[ -]?in|check(s|ing)?[ -]?(the |a |an )?(\w+ )?box|ticks?|permission|sign(s|ing)? up|subscrib\w*|accepts?)\b/i,
  webForm: /\b(web ?site|web ?page|web form|online|landing page|checkbox)\b/i,
  url: /\bhttps?:\/\/\S+|\b[a-z0-9-]+(\.[a-z0-9-]+)*\.(com|org|net|io|co|us|health|dental|app|dev|biz|info|example)\b/i,
  implied:
    /\b((purchased|bought|rented|third[ -]party|scraped) (lists?|leads?|contacts?|numbers?)|pre[ -]?(checked|ticked|selected)|(checked|ticked) by default|implied|automatically (opted|enrolled|subscribed|added)|existing customers are (added|texted))\b/i,
} as const;

/** Ways to give consent. */
export const METHODS: readonly RegExp[] = [
  /\b(web ?site|web ?page|web form|online|forms?|checkbox|portal|app|checkout|booking|landing page)\b|https?:\/\//i,
  /\b(paper|in person|front desk|reception|in[ -]store|intake|register|sign-?up sheet)\b/i,
  /\b(keyword|text(s|ing)? (in )?["'“]?[A-Z]{3,}|qr code)\b/,
  /\b(by phone|over the phone|verbal(ly)?|calls?|voice)\b/i,
];

/** The disclosures that the consent text must make to recipients. */
export const DISCLOSURES: readonly { name: string; pattern: RegExp }[] = [
  {
    name: 'how often texts come',
    pattern:
      /\b(frequency|per (day|week|month)|a (day|week|month)|(daily|weekly|monthly)|recurring|one (message|text) (per|for each)|each appointment)\b/i,
  },
  {
    name: 'that message and data rates may apply',
    pattern: /\b(data|messag\w*|msg|carrier|standard)\b[^.]{0,30}\brates\b/i,
  },
  { name: 'how to stop (STOP)', pattern: /\b(stop|unsubscribe|opt[ -]?out)\b/i },
  { name: 'how to get help (HELP)', pattern: /\bHELP\b|\bfor help\b|\bcontact us\b/i },
];
