"""The least that contrib.sitemaps needs: its templates, loaded once, and where pages are."""

from django.urls import path

INSTALLED_APPS = ["django.contrib.sitemaps"]
ALLOWED_HOSTS = ["shop.example"]
SECRET_KEY = "nothing here is signed"  # noqa: S105
USE_TZ = True
ROOT_URLCONF = "django_settings"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
urlpatterns = [path("sitemap-<section>.xml", lambda _request: None, name="sitemap")]
