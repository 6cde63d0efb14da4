/** The parts of the settings of the organization. */
export const settingsTabs = ['rules', 'retention', 'mail'] as const;
