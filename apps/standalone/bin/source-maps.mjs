// Stack traces name the sources. Where Node can leave the packages out, their maps need not be read, which hold their sources once more.
import module from 'node:module';

if (module.setSourceMapsSupport) module.setSourceMapsSupport(true, { nodeModules: false });
else process.setSourceMapsEnabled(true);
