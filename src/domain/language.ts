/** Languages in which Keepsake speaks to an agent. Notes stay in the language of their user. */
export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]
