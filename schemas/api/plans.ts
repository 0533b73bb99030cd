/** The plans a subscription can be on, from the smallest to the largest. */
import { z } from 'zod';

export const plan = z.enum(['free', 'starter', 'growth', 'business', 'enterprise']);

export type Plan = z.infer<typeof plan>;
