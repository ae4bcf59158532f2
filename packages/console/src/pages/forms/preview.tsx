import { type CSSProperties, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { classes } from '../../lib/classes.ts';
import { isColour, textColourOn } from '../../lib/contrast.ts';
import { texts } from '../../texts/forms.ts';
import { Switch } from '../../ui/field.tsx';
import { type Design, EMPTY } from './design.ts';
import css from './preview.module.css';

const t = texts.preview;

/**
 * The page as visitors will see it, drawn from the fields. It has no logo, because the console loads no files of other
 * sites.
 */
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
    <section className={css.preview} aria-label={t.preview}>
      <header className={css.head}>
        <h2>{t.preview}</h2>
        <Switch isSelected={isDark} onChange={setDark}>
          {t.darkDevice}
        </Switch>
      </header>
      <div className={classes(css.page, isDark && css.dark)} style={colours}>
        <p className={css.sender}>
          {design.logo_url === '' ? (tenant?.name ?? t.theTenant) : <span className={css.logo}>{t.logo}</span>}
        </p>
        <p className={css.title}>{design.name === '' ? t.nameForm : design.name}</p>
        {mode === 'test' && <p className={css.note}>{t.testFormNo}</p>}
        <p className={css.label}>{t.phoneNumber}</p>
        <p className={css.hint}>{t.areaCodeSuch}</p>
        <div className={css.input} />
        <div className={css.consent}>
          <span className={css.box} />
          <p>{design.consent_text.trim() === '' ? t.textWrittenWhen : design.consent_text}</p>
        </div>
        <span className={css.button}>{t.signUpTexts}</span>
        <p className={css.links}>
          {design.terms_url !== '' && <span>{t.terms}</span>}
          {design.privacy_url !== '' && <span>{t.privacy}</span>}
        </p>
      </div>
    </section>
  );
}
