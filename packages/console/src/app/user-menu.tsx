import { CircleUserRound } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Separator } from 'react-aria-components/Separator';
import { Text } from 'react-aria-components/Text';
import { signOut } from '../api/operator.ts';
import { chooseLanguage, chosenLanguage, LANGUAGE_CHOICES } from '../lib/language.ts';
import { PREFIX } from '../lib/location.ts';
import { chooseZone, useZoneChoice, ZONE_CHOICES } from '../lib/zone.ts';
import { texts } from '../texts/app.ts';
import { refusalOf } from '../ui/refusal.ts';
import { say } from '../ui/toast.tsx';
import { useLeave } from './leave.ts';
import { useSession } from './session.ts';
import { chooseTheme, chosenTheme, THEMES, type Theme } from './theme.ts';
import css from './user-menu.module.css';

const t = texts.userMenu;

/**
 * The open menu of the person, which is loaded when its button is pressed. It shows the signed-in person, the theme,
 * the language, the zone of times, documentation and sign-out.
 */
export function UserMenu() {
  const { role, user, account_id, version } = useSession();
  const [theme, setTheme] = useState(chosenTheme);
  const zone = useZoneChoice();
  const signOutHere = useSignOut();
  const choose = (chosen: Theme) => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return (
    <MenuTrigger defaultOpen>
      <AriaButton aria-label={t.yourMenu} className={css.button ?? ''}>
        <CircleUserRound aria-hidden />
      </AriaButton>
      <Popover className={css.popover ?? ''} placement="bottom end">
        <p className={css.who}>
          {user?.email}
          <span>{role === 'operator' ? t.operator : t.account(account_id ?? '')}</span>
          <span>{t.version(version)}</span>
        </p>
        <Menu className={css.menu ?? ''} aria-label={t.yourMenu}>
          {THEMES.map((each) => (
            <MenuItem key={each} id={each} className={css.item ?? ''} onAction={() => choose(each)}>
              <Text slot="label">{t.themes[each]}</Text>
              {theme === each && <span>✓</span>}
            </MenuItem>
          ))}
          <Separator className={css.line ?? ''} />
          {LANGUAGE_CHOICES.map((each) => (
            <MenuItem
              key={each}
              id={`language ${each}`}
              className={css.item ?? ''}
              onAction={() => chooseLanguage(each)}
            >
              <Text slot="label">{t.languages[each]}</Text>
              {chosenLanguage() === each && <span>✓</span>}
            </MenuItem>
          ))}
          <Separator className={css.line ?? ''} />
          {ZONE_CHOICES.map((each) => (
            <MenuItem key={each} id={`zone ${each}`} className={css.item ?? ''} onAction={() => chooseZone(each)}>
              <Text slot="label">{t.zones[each]}</Text>
              {zone === each && <span>✓</span>}
            </MenuItem>
          ))}
          <Separator className={css.line ?? ''} />
          <MenuItem id="docs" href={`${PREFIX}/docs`} target="_blank" className={css.item ?? ''}>
            {t.documentation}
          </MenuItem>
          <MenuItem id="out" className={css.item ?? ''} onAction={() => void signOutHere()}>
            {t.signOut}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

/** Returns a function that ends the session and leaves its pages. */
function useSignOut(): () => Promise<void> {
  const leave = useLeave();
  return async () => {
    try {
      await signOut();
    } catch (error) {
      say(t.youStillSigned(refusalOf(error)));
      return;
    }
    await leave();
  };
}
