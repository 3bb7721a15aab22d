// Lint rules by folder. Types are checked by the compiler, imports by dependency-cruiser.
import tseslint from 'typescript-eslint';

/** Files of shared that do I/O, or write files for a hub. */
const outside = [
  'shared/{aws,runtime,estimator,manifests}/**/*.ts',
  'shared/kubernetes/client/**/*.ts',
  'shared/console-api/{console-,operation-task,operations-app,invoke-,remembered}*.ts',
];
const tables = ['shared/bus/functions.ts', 'shared/core/settings.ts'];

export default tseslint.config(
  { ignores: ['node_modules', 'cdk.out', 'dist', 'coverage', 'reports', '.evenkeel'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      'max-params': ['error', 4],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { varsIgnorePattern: '^_', argsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
    },
  },
  {
    // Deciding code has no clock, no chance, no environment and no console: they come in as values or through ports.
    files: ['functions/**/*.ts', 'shared/**/*.ts'],
    ignores: outside,
    rules: {
      'no-restricted-globals': [
        'error',
        ...['process', 'console', 'setTimeout', 'setInterval', 'setImmediate', 'fetch', 'performance'].map((name) => ({
          name,
          message: `${name} belongs in shared/runtime or an adapter; take a value or a port instead.`,
        })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'The clock is read in shared/runtime; take `now`.' },
        { object: 'Math', property: 'random', message: 'Chance comes in as a value.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'The clock is read in shared/runtime; take `now`.',
        },
      ],
    },
  },
  {
    files: ['functions/**/*.ts', 'shared/**/*.ts'],
    ignores: [...outside, ...tables, 'shared/*/{list,read,write}-*.ts'],
    rules: {
      'max-lines': ['error', { max: 260, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 3],
    },
  },
  { files: ['test/**/*.ts'], rules: { '@typescript-eslint/unbound-method': 'off', 'max-params': 'off' } },
  {
    files: ['**/vitest.config.ts', 'test/rig/suites/setup.ts', '**/*.d.ts'],
    rules: { 'no-restricted-exports': 'off' },
  },
);
