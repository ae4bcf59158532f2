import { type CSSProperties, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { classes } from '../../lib/classes.ts';
import { isColour, textColourOn } from '../../lib/contrast.ts';
import { Switch } from '../../ui/field.tsx';
import { type Design, EMPTY } from './design.ts';
import css from './preview.module.css';

/** The page as visitors will see it, drawn from the fields. The console loads no file of another site, so no logo. */
export function Preview({ design }: { design: Design }) {
  const { mode } = useLedger();
  const [isDark, setDark] = useState(false);
  const { data: tenant } = useRead(
    ['tenants', design.tenant_id],
    (api) => api.tenants.get(design.tenant_id as string),
    {
      enabled: design.tenant_id !== null,
    },
  );
  const colour = isColour(design.color) ? design.color : EMPTY.color;
  const colours = { '--brand': colour, '--on-brand': textColourOn(colour) } as CSSProperties;
  return (
    <section className={css.preview} aria-label="Preview">
      <header className={css.head}>
        <h2>Preview</h2>
        <Switch isSelected={isDark} onChange={setDark}>
          Dark device
        </Switch>
      </header>
      <div className={classes(css.page, isDark && css.dark)} style={colours}>
        <p className={css.sender}>
          {design.logo_url === '' ? (tenant?.name ?? 'The tenant') : <span className={css.logo}>Logo</span>}
        </p>
        <p className={css.title}>{design.name === '' ? 'Name of the form' : design.name}</p>
        {mode === 'test' && <p className={css.note}>This is a test form: no real texts follow from it.</p>}
        <p className={css.label}>Phone number</p>
        <p className={css.hint}>With area code, such as 602 555 0143</p>
        <div className={css.input} />
        <div className={css.consent}>
          <span className={css.box} />
          <p>
            {design.consent_text.trim() === '' ? 'The text is written when you save the form.' : design.consent_text}
          </p>
        </div>
        <span className={css.button}>Sign up for texts</span>
        <p className={css.links}>
          {design.terms_url !== '' && <span>Terms</span>}
          {design.privacy_url !== '' && <span>Privacy</span>}
        </p>
      </div>
    </section>
  );
}
