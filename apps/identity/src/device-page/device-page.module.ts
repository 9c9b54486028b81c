import { Module } from '@nestjs/common';
import { DevicePageController } from './device-page.controller.js';
import { DevicePage } from './device-page.js';

/** The page on which people consent to programs on other devices. */
@Module({ controllers: [DevicePageController], providers: [DevicePage] })
export class DevicePageModule {}
