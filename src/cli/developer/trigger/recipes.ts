import type { EventType } from '../../../domain/events/index.ts';
import { ACCOUNT_RECIPES } from './account-recipes.ts';
import { CALL_RECIPES } from './call-recipes.ts';
import type { Recipe } from './recipe.ts';
import { TEXT_RECIPES } from './text-recipes.ts';

/** Why test mode cannot cause an event. */
export type Obstacle = { readonly obstacle: string };

/** How each event is caused in test mode. */
export const RECIPES: Readonly<Record<EventType, Recipe | Obstacle>> = {
  ...TEXT_RECIPES,
  ...CALL_RECIPES,
  ...ACCOUNT_RECIPES,
  'balance.low': { obstacle: 'Test keys have no balance: nothing costs anything.' },
};
